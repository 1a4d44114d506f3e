#!/usr/bin/env bash
# Installs the Homeport agent, or installs it again. Run as root, or as another user with --root. Standard input holds the
# server's token on the first line and then the agent's program, so that the token is in no argument list.
#
# Usage: install.sh --url URL [--user NAME] [--interval SECONDS] [--ping-eu T] [--ping-us T] [--ping-asia T]
#                   [--scheduler auto|systemd|cron|none] [--cgroup-root DIR] [--dmi-root DIR] [--backup-runs FILE]
#                   [--root DIR]
#   --user       the account that runs the agent, `homeport` unless given; made (no login, no home) if it is missing
#   --ping-…     host:port to measure the connect time to, or `none`
#   --cgroup-root  where containers are measured, /sys/fs/cgroup unless given
#   --dmi-root     where the machine's firmware names it, /sys/class/dmi/id unless given
#   --backup-runs  where the Dokku plugin tells of scheduled backups, beneath /var/lib/dokku unless given
#   --root       put every file beneath DIR and start nothing, for images and tests. Unless root runs this, no account is made
#                and the files belong to the user who runs this
set -euf
export LC_ALL=C
umask 022

main() {
  local url='' user=homeport interval=180 scheduler=auto root='' settings='' token
  while [ $# -gt 0 ]; do
    case $1 in
      --url | --user | --interval | --scheduler | --root) printf -v "${1#--}" '%s' "${2:?$1 needs a value}" ;;
      --ping-eu | --ping-us | --ping-asia)
        [[ ${2:?$1 needs a value} =~ ^(none|[A-Za-z0-9.:-]+:[0-9]{1,5})$ ]] || fail "$1 takes host:port or none"
        local setting=${1#--}
        settings+="${setting/-/_}=$2"$'\n'
        ;;
      --cgroup-root | --dmi-root)
        [[ ${2:?$1 needs a value} =~ ^/[^[:cntrl:]]*$ ]] || fail "$1 takes a folder, from / on"
        local folder=${1#--}
        settings+="${folder/-/_}=$2"$'\n'
        ;;
      --backup-runs)
        [[ ${2:?$1 needs a value} =~ ^/[^[:cntrl:]]*$ ]] || fail "$1 takes a file, from / on"
        settings+="backup_runs=$2"$'\n'
        ;;
      *) fail "unknown option $1" ;;
    esac
    shift 2
  done
  [ "$(id -u)" -eq 0 ] || [ -n "$root" ] || fail 'this must run as root'
  [ "${BASH_VERSINFO[0]}" -ge 4 ] || fail 'bash 4 or later is needed'
  [[ $url =~ ^https?://[^[:space:]\"\\]+$ ]] || fail '--url must start with https:// or http://'
  [[ $user =~ ^[a-z_][a-z0-9_-]{0,31}$ ]] || fail '--user is not an account name'
  [[ $interval =~ ^[1-9][0-9]{0,4}$ ]] || fail '--interval must be a number of seconds'
  has_http_client || fail 'curl or GNU wget is needed; install one of them'
  IFS= read -r token || fail 'no token on standard input'
  [[ $token =~ ^[A-Za-z0-9_-]{16,128}$ ]] || fail 'the token on standard input is damaged'

  [ "$scheduler" != auto ] || scheduler=$(find_scheduler)
  if [ "$(id -u)" -eq 0 ]; then make_account "$user"; else user=$(id -un); fi
  stop_running "$root"
  write_files "$root" "$user" "$token" "${url%/}" "$interval" "$settings"
  schedule_by_"$scheduler" "$root" "$user" "$interval" "$token"
  printf 'Homeport agent installed: account %s, schedule %s, console %s\n' "$user" "$scheduler" "$url"
}

fail() {
  printf 'homeport-agent install: %s\n' "$1" >&2
  exit 1
}

has_http_client() {
  command -v curl >/dev/null || [[ $(wget --version 2>/dev/null || :) == 'GNU Wget'* ]]
}

find_scheduler() {
  if [ -d /run/systemd/system ]; then
    printf systemd
  elif [ -d /etc/cron.d ] || command -v crontab >/dev/null; then
    printf cron
  else
    printf none
  fi
}

make_account() {
  if id -u "$1" >/dev/null 2>&1; then return; fi
  if command -v useradd >/dev/null; then
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$1"
  else
    adduser -S -D -H -s /sbin/nologin "$1" # BusyBox
  fi
}

stop_running() {
  [ -z "$1" ] && [ -d /run/systemd/system ] || return 0
  systemctl stop homeport-agent.timer homeport-agent.service 2>/dev/null || :
}

write_files() {
  local root=$1 user=$2 token=$3 url=$4 interval=$5 more=$6
  local program=$root/usr/local/lib/homeport-agent settings=$root/etc/homeport-agent state=$root/var/lib/homeport-agent
  mkdir -p "$program" "$settings" "$state"
  cat >"$program/homeport-agent.new"
  [ "$(tail -n 1 "$program/homeport-agent.new")" = 'main "$@"' ] || fail 'the agent did not arrive whole'
  chmod 755 "$program/homeport-agent.new"
  mv "$program/homeport-agent.new" "$program/homeport-agent"
  {
    printf 'url=%s\ninterval=%s\n' "$url" "$interval"
    printf 'token_file=%s\nstate_dir=%s\n%s' "$settings/token" "$state" "$more"
  } >"$settings/agent.conf"
  chmod 644 "$settings/agent.conf"
  (umask 077 && printf '%s\n' "$token" >"$settings/token.new")
  give "$user" "$settings/token.new"
  mv "$settings/token.new" "$settings/token"
  give "$user" "$state"
  chmod 700 "$state"
}

# Only root can give files away. Another user's files belong to that user already.
give() {
  [ "$(id -u)" -ne 0 ] || chown "$1:$(id -gn "$1")" "$2"
}

# Each server has its own second within three minutes, computed from its token, so that a fleet does not report at the same moment.
own_second() {
  local digest
  digest=$(printf '%s' "$1" | cksum)
  printf '%s' $((${digest%% *} % 180))
}

# The timers of systemd and cron count in minutes of the hour. Any interval but the usual three minutes needs --loop.
schedule_by_systemd() {
  local units=$1/etc/systemd/system second
  second=$(own_second "$4")
  mkdir -p "$units"
  cat >"$units/homeport-agent.service" <<UNIT
[Unit]
Description=Report the state of this machine to Homeport
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
User=$2
ExecStart=$1/usr/local/lib/homeport-agent/homeport-agent --config $1/etc/homeport-agent/agent.conf
Nice=10
TimeoutStartSec=170
MemoryMax=128M
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=$1/var/lib/homeport-agent
ProtectHome=read-only
RestrictSUIDSGID=yes
LockPersonality=yes
UNIT
  cat >"$units/homeport-agent.timer" <<UNIT
[Unit]
Description=Report to Homeport every three minutes

[Timer]
OnActiveSec=1
OnActiveSec=16
OnCalendar=*:$((second / 60))/3:$(printf '%02d' $((second % 60)))
AccuracySec=1s
RandomizedDelaySec=3

[Install]
WantedBy=timers.target
UNIT
  [ -z "$1" ] || return 0
  systemctl daemon-reload
  systemctl enable --now homeport-agent.timer
}

schedule_by_cron() {
  local second line
  second=$(own_second "$4")
  line="$((second / 60))-59/3 * * * *"
  local command="sleep $((second % 60)); exec $1/usr/local/lib/homeport-agent/homeport-agent --config $1/etc/homeport-agent/agent.conf >/dev/null 2>&1"
  if [ -n "$1" ] || [ -d /etc/cron.d ]; then
    mkdir -p "$1/etc/cron.d"
    printf '# Homeport agent\n%s %s %s\n' "$line" "$2" "$command" >"$1/etc/cron.d/homeport-agent"
    chmod 644 "$1/etc/cron.d/homeport-agent"
  else
    { crontab -u "$2" -l 2>/dev/null | without_agent && printf '%s %s\n' "$line" "$command"; } | crontab -u "$2" -
  fi
  [ -n "$1" ] || start_first_reports "$2"
}

# cron would send the first report up to three minutes later. The reports outlive the login that installs the agent. The account
# has no login shell, so su names one (util-linux, BusyBox).
start_first_reports() {
  local agent=/usr/local/lib/homeport-agent/homeport-agent settings=/etc/homeport-agent/agent.conf
  setsid su -s /bin/sh -c "exec $agent --first --config $settings" "$1" </dev/null >/dev/null 2>&1 &
}

schedule_by_none() { :; }

without_agent() {
  local line
  while IFS= read -r line; do [[ $line == *homeport-agent* ]] || printf '%s\n' "$line"; done
}

main "$@"
