#!/usr/bin/env bash
# The Homeport agent: measures this machine once and posts the report. Runs as an unprivileged user from a systemd
# timer, cron, or its own --loop. Needs bash 4, coreutils, and curl or GNU wget.
#
# Usage: homeport-agent [--once | --first | --loop | --print] [--config FILE] [--help | --version]
set -euf
export LC_ALL=C
umask 077

agent_version=2.4.0
spool_limit=480
batch_limit=50
# Rates need two reports, so a new installation sends its second one early.
second_report_after_s=15
# Summing up an app's folders reads each of its files' names, so it is done seldom, and each folder has a deadline.
storage_every_s=21600
storage_retry_s=900
storage_deadline_s=20
storage_budget_s=60
# Of scheduled backups. The console takes no more runs in one report.
backups_at_once=20
# USER_HZ, the number of jiffies a second in /proc: 100 on every architecture of Linux servers (proc(5)).
user_hz=100

main() {
  local mode=once config_file=/etc/homeport-agent/agent.conf
  while [ $# -gt 0 ]; do
    case $1 in
      --once | --first | --loop | --print) mode=${1#--} ;;
      --config) config_file=${2:?--config needs a file} && shift ;;
      --version) printf '%s\n' "$agent_version" && return ;;
      --help) usage && return ;;
      *) fail "unknown option $1" ;;
    esac
    shift
  done
  [ "${BASH_VERSINFO[0]}" -ge 4 ] || fail 'bash 4 or later is needed'
  read_config "$config_file"
  case $mode in
    print) build_report print ;;
    once) once ;;
    first) report_repeatedly "$config_file" 2 ;;
    loop) report_repeatedly "$config_file" 0 ;;
  esac
}

usage() {
  printf '%s\n' 'homeport-agent: reports the state of this machine to a Homeport console' \
    '  --once         measure, store the report, send all stored reports (the default)' \
    '  --first        the same at once and again after 15 s, for a new installation' \
    '  --loop         the same at once, again after 15 s, then every interval, for machines without systemd and cron' \
    '  --print        show the report and send nothing' \
    '  --config FILE  settings, /etc/homeport-agent/agent.conf unless given'
}

fail() {
  printf 'homeport-agent: %s\n' "$1" >&2
  exit 1
}

# A line of the file of backups, as the plugin writes it. A text holds no quote and no backslash.
backup_line='^\{"seq":([0-9]{1,15}),"run":"[0-9a-f-]{36}","type":"[a-z0-9-]{1,41}","name":"[A-Za-z0-9._-]{1,128}","state":"[a-z]{1,20}"'
backup_line+=',"at":[0-9]{1,11},"took":[0-9]{1,9},"bytes":(null|[0-9]{1,15}),"sha256":(null|"[0-9a-f]{64}"),"target":"[a-z0-9]{1,20}"'
backup_line+=',"reason":(null|"[a-z_]{1,40}"),"text":(null|"[] !#-[^-~]{0,300}")\}$'

# --- settings ---------------------------------------------------------------------------------------------------------

# Sets url, token_file, state_dir, interval, ping_eu, ping_us, ping_asia, cgroup_root, dmi_root, backup_runs. Reads the file and never runs it.
read_config() {
  url='' token_file=/etc/homeport-agent/token state_dir=/var/lib/homeport-agent interval=180
  ping_eu=dynamodb.eu-central-1.amazonaws.com:443
  ping_us=dynamodb.us-east-1.amazonaws.com:443
  ping_asia=dynamodb.ap-southeast-1.amazonaws.com:443
  cgroup_root=/sys/fs/cgroup
  dmi_root=/sys/class/dmi/id
  backup_runs=/var/lib/dokku/data/homeport/runs/log
  [ -r "$1" ] || fail "cannot read $1"
  local name value
  while IFS='=' read -r name value || [ -n "$name" ]; do
    case $name in
      url | token_file | state_dir | interval | ping_eu | ping_us | ping_asia | cgroup_root | dmi_root | backup_runs) printf -v "$name" '%s' "$value" ;;
      '' | '#'*) ;;
      *) fail "unknown setting $name in $1" ;;
    esac
  done <"$1"
  [[ $url =~ ^https?://[^[:space:]\"\\]+$ ]] || fail "url in $1 must start with https:// or http://"
  [[ $interval =~ ^[1-9][0-9]{0,4}$ ]] || fail "interval in $1 must be a number of seconds"
}

read_token() {
  IFS= read -r token <"$token_file" || [ -n "$token" ] || fail "no token in $token_file"
  [[ $token =~ ^[A-Za-z0-9_-]{16,128}$ ]] || fail "the token in $token_file is damaged"
}

# --- one run ----------------------------------------------------------------------------------------------------------

once() {
  read_token
  mkdir -p "$state_dir/spool"
  take_lock || return 0
  trap 'rm -rf "$state_dir/run" "$state_dir/lock"' EXIT
  rm -rf "$state_dir/run" && mkdir "$state_dir/run"
  spool_report
  send_spool
  measure_storage
}

# Reports at once, again after 15 s, then once an interval. Ends after $2 reports, or never if $2 is 0. Each server has its own
# second within the interval, so that a fleet does not report at the same moment.
report_repeatedly() {
  read_token
  local child='' now offset digest reports=0 pause
  digest=$(printf '%s' "$token" | cksum)
  offset=$((${digest%% *} % interval))
  # The child may have ended in the same moment. Then there is nothing to kill, which is no failure.
  trap '[ -z "$child" ] || kill "$child" 2>/dev/null || :; exit 0' TERM INT
  while :; do
    "$BASH" "${BASH_SOURCE[0]}" --once --config "$1" &
    child=$!
    wait "$child" || printf 'homeport-agent: this run failed\n' >&2
    reports=$((reports + 1))
    if [ "$reports" -eq "$2" ]; then return; fi
    printf -v now '%(%s)T' -1
    pause=$((interval - (now - offset) % interval))
    if [ "$reports" -eq 1 ]; then pause=$second_report_after_s; fi
    sleep "$pause" &
    child=$!
    wait "$child" || :
  done
}

# Two runs at once would use a report number twice. A run takes over the lock of a process that has ended.
take_lock() {
  local holder=''
  if ! (set -C && printf '%s\n' "$BASHPID" >"$state_dir/lock") 2>/dev/null; then
    read -r holder <"$state_dir/lock" || :
    [[ $holder =~ ^[0-9]+$ ]] && [ -d "/proc/$holder" ] && runs_agent "$holder" && return 1
  fi
  printf '%s\n' "$BASHPID" >"$state_dir/lock"
}

runs_agent() {
  local command=''
  IFS= read -r command < <(tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline") || :
  [[ $command == *homeport-agent* ]]
}

# Stores one report a file, named by its number. The oldest goes first when there are too many.
spool_report() {
  local name
  build_report keep >"$state_dir/run/report"
  # The number is in the state file by now, so a report that was not stored leaves a hole and never a repeated number.
  read -r sequence <"$state_dir/sequence"
  printf -v name '%020d.json' "$sequence"
  mv "$state_dir/run/report" "$state_dir/spool/$name"
  # What stands in the spool is told. A report that was not stored leaves these runs for the next one.
  [ ! -e "$state_dir/run/backups" ] || mv "$state_dir/run/backups" "$state_dir/backups"
  list_spool
  local surplus=$((${#spool[@]} - spool_limit))
  [ "$surplus" -le 0 ] || rm -f -- "${spool[@]:0:surplus}"
}

list_spool() {
  set +f
  spool=("$state_dir/spool"/*.json)
  set -f
  [ -e "${spool[0]}" ] || spool=()
}

# --- sending ----------------------------------------------------------------------------------------------------------

send_spool() {
  local failures=0 not_before=0 now size=$batch_limit
  [ ! -r "$state_dir/retry" ] || read -r failures not_before <"$state_dir/retry" || :
  [[ $failures =~ ^[0-9]+$ && $not_before =~ ^[0-9]+$ ]] || failures=0 not_before=0
  printf -v now '%(%s)T' -1
  # No wait is longer than an hour, because a clock that was set back must not silence the agent.
  if [ "$now" -lt "$not_before" ] && [ $((not_before - now)) -le 3600 ]; then return; fi
  while list_spool && [ ${#spool[@]} -gt 0 ]; do
    post "${spool[@]:0:size}"
    case $status in
      2??) rm -f -- "${spool[@]:0:size}" "$state_dir/retry" ;;
      400 | 413 | 422)
        # One report that the console refuses must not hold up the others. Narrow the batch down to that report and drop it.
        if [ "$size" -gt 1 ] && [ ${#spool[@]} -gt 1 ]; then size=$((size > ${#spool[@]} ? ${#spool[@]} / 2 : size / 2)); else rm -f -- "${spool[0]}"; fi
        ;;
      *)
        back_off "$failures"
        return
        ;;
    esac
  done
}

# Waits with full jitter from 1 s to 10 min, or as long as the console asked for.
back_off() {
  local failures=$(($1 < 10 ? $1 + 1 : 10)) ceiling wait now
  ceiling=$((1 << failures))
  [ "$ceiling" -le 600 ] || ceiling=600
  wait=$((RANDOM % ceiling + 1))
  [ -z "$retry_after" ] || wait=$retry_after
  printf -v now '%(%s)T' -1
  printf '%s %s\n' "$failures" $((now + wait)) >"$state_dir/retry"
  printf 'homeport-agent: not delivered (%s), %s kept, next try in %s s\n' "$status" "${#spool[@]}" "$wait" >&2
}

# Posts the given report files as one array. Sets status (000 without an answer) and retry_after (seconds or empty).
post() {
  local body=$state_dir/run/body encoding=''
  { printf '[' && cat -- "$@" | paste -sd, - && printf ']'; } >"$body"
  if command -v gzip >/dev/null; then
    gzip -nf "$body" && body=$body.gz encoding=gzip
  fi
  status=000 retry_after=''
  : >"$state_dir/run/headers"
  if command -v curl >/dev/null; then
    post_by_curl "$body" "$encoding"
  elif [[ $(wget --version 2>/dev/null || :) == 'GNU Wget'* ]]; then
    post_by_wget "$body" "$encoding"
  else
    fail 'curl or GNU wget is needed'
  fi
  read_answer
}

# The token goes over stdin, because every local user can read an argument list (proc(5), /proc/pid/cmdline).
post_by_curl() {
  {
    printf 'url = "%s/api/v2/report"\n' "$url"
    printf 'header = "Authorization: Bearer %s"\n' "$token"
    printf 'header = "Content-Type: application/json"\n'
    printf 'header = "Homeport-Agent-Time: %s"\n' "$(clock_ms)"
    [ -z "$2" ] || printf 'header = "Content-Encoding: %s"\n' "$2"
  } | curl -q --config - --silent --header Expect: --data-binary "@$1" --dump-header "$state_dir/run/headers" \
    --output /dev/null --connect-timeout 10 --max-time 25 --proto =http,https || :
}

# GNU wget reads headers from the file that WGETRC names, which only this user can read.
post_by_wget() {
  local settings=$state_dir/run/wgetrc
  {
    printf 'header = Authorization: Bearer %s\n' "$token"
    printf 'header = Content-Type: application/json\n'
    printf 'header = Homeport-Agent-Time: %s\n' "$(clock_ms)"
    [ -z "$2" ] || printf 'header = Content-Encoding: %s\n' "$2"
  } >"$settings"
  WGETRC=$settings wget --quiet --server-response --tries=1 --timeout=20 --max-redirect=0 --no-hsts \
    --post-file="$1" --output-document=/dev/null "$url/api/v2/report" 2>"$state_dir/run/headers" || :
  rm -f "$settings"
}

# The post carries this time, so that the console can tell a wrong clock from a report that waited for hours.
clock_ms() {
  local ns
  ns=$(date +%s%N)
  printf '%s' "${ns:0:13}"
}

read_answer() {
  local name value now until
  while read -r name value || [ -n "$name" ]; do
    value=${value%$'\r'}
    case ${name,,} in
      http/*) [[ $value =~ ^[0-9]{3} ]] && status=${value:0:3} ;;
      retry-after:)
        if [[ $value =~ ^[0-9]{1,6}$ ]]; then
          retry_after=$((10#$value))
        elif until=$(date -d "$value" +%s 2>/dev/null); then
          printf -v now '%(%s)T' -1
          retry_after=$((until - now))
        fi
        ;;
    esac
  done <"$state_dir/run/headers"
  [ -n "$retry_after" ] || return 0
  if [ "$retry_after" -gt 3600 ]; then retry_after=3600; fi
  if [ "$retry_after" -lt 1 ]; then retry_after=1; fi
}

# --- JSON -------------------------------------------------------------------------------------------------------------

# Adds "name":value to the current object. The value is JSON already.
add() {
  json+="${json_comma}\"$1\":$2"
  json_comma=,
}

add_text() {
  to_json_text "$2"
  add "$1" "$REPLY"
}

add_number() {
  to_json_number "$2"
  add "$1" "$REPLY"
}

# REPLY = the number, or null for text that is no JSON number or that JavaScript would round.
to_json_number() {
  REPLY=null
  [[ ! ${1-} =~ ^(0|[1-9][0-9]{0,15})(\.[0-9]{1,9})?$ ]] || REPLY=$1
}

# REPLY = a JSON string. A local user may put any bytes into the name of a process or mount.
to_json_text() {
  local text=${1:0:256}
  if [[ $text == *[!\ -~]* ]]; then
    bytes_to_json_text "$text"
  else
    text=${text//\\/\\\\}
    REPLY=\"${text//\"/\\\"}\"
  fi
}

# Turns UTF-8 (RFC 3629) into \u escapes. A byte outside any character becomes U+FFFD. This is slow, and rare names need it.
bytes_to_json_text() {
  local bytes byte out='' index=0 need low value count escaped
  read -r -d '' -a bytes < <(printf '%s' "$1" | od -An -v -tu1) || :
  while [ "$index" -lt ${#bytes[@]} ]; do
    byte=${bytes[index]} count=0 low=128
    index=$((index + 1))
    if [ "$byte" -lt 128 ]; then
      value=$byte
    elif [ "$byte" -ge 194 ] && [ "$byte" -lt 224 ]; then
      value=$((byte & 31)) count=1
    elif [ "$byte" -ge 224 ] && [ "$byte" -lt 240 ]; then
      value=$((byte & 15)) count=2
      if [ "$byte" -eq 224 ]; then low=160; fi
    elif [ "$byte" -ge 240 ] && [ "$byte" -lt 245 ]; then
      value=$((byte & 7)) count=3
      if [ "$byte" -eq 240 ]; then low=144; fi
    else
      value=65533
    fi
    need=$count
    while [ "$need" -gt 0 ]; do
      byte=${bytes[index]:-0}
      if [ "$byte" -lt "$low" ] || [ "$byte" -gt 191 ]; then value=65533 && break; fi
      value=$((value << 6 | byte & 63)) low=128 need=$((need - 1)) index=$((index + 1))
    done
    if [ "$value" -gt 1114111 ] || { [ "$value" -ge 55296 ] && [ "$value" -le 57343 ]; }; then value=65533; fi
    if [ "$value" -gt 65535 ]; then
      printf -v escaped '\\u%04x\\u%04x' $((55232 + (value >> 10))) $((56320 + (value & 1023)))
    else
      printf -v escaped '\\u%04x' "$value"
    fi
    out+=$escaped
  done
  REPLY=\"$out\"
}

# --- measuring --------------------------------------------------------------------------------------------------------

# REPLY = the content of a file up to a NUL, without starting a process. Empty when the file cannot be read.
slurp() {
  REPLY=''
  { IFS= read -r -d '' REPLY <"$1"; } 2>/dev/null || :
}

# Writes one report as one line. `keep` numbers the report and stores the state that the next report is measured against.
build_report() {
  local keep=$1 json='' json_comma='' uptime now_ns boot_id pings=''
  if [ "$keep" = keep ]; then
    pings=$state_dir/run/pings
    mkdir -p "$pings"
    start_pings "$pings"
  fi
  slurp /proc/uptime
  uptime=${REPLY%% *}
  slurp /proc/sys/kernel/random/boot_id
  boot_id=${REPLY%%$'\n'*}
  now_ns=$(date +%s%N)
  add v 2
  add_text agent "$agent_version"
  add_text boot_id "$boot_id"
  add_number seq "$(next_sequence "$keep" "${now_ns:0:10}")"
  add_number ts "${now_ns:0:13}"
  add_number uptime "${uptime%%.*}"
  add_number interval "$interval"
  measure_system
  read_machine
  measure_cpu
  measure_memory
  measure_pressure
  measure_network
  measure_disks
  measure_counts
  measure_processes "$keep" "$boot_id" "${uptime/./}"
  read_storage
  measure_apps
  [ -z "$storage_ts" ] || add_number storage_ts "$storage_ts"
  read_backups "$keep"
  [ -z "$pings" ] || collect_pings "$pings"
  printf '{%s}\n' "$json"
}

# The number is never lower than the clock, so that a fresh installation does not repeat the numbers of an earlier one.
next_sequence() {
  local last=0
  [ ! -r "$state_dir/sequence" ] || read -r last <"$state_dir/sequence" || :
  [[ $last =~ ^[0-9]{1,15}$ ]] || last=0
  last=$((last + 1 > $2 ? last + 1 : $2))
  [ "$1" != keep ] || { printf '%s\n' "$last" >"$state_dir/sequence.new" && mv "$state_dir/sequence.new" "$state_dir/sequence"; }
  printf '%s' "$last"
}

measure_system() {
  local name value os_name='' pretty='' arch
  while IFS='=' read -r name value; do
    value=${value#[\"\']} value=${value%[\"\']}
    case $name in
      PRETTY_NAME) pretty=$value ;;
      NAME) os_name=$value ;;
    esac
  done < <(cat /etc/os-release 2>/dev/null || :)
  arch=$(uname -m)
  case $arch in
    x86_64) arch=x64 ;;
    i?86) arch=x86 ;;
  esac
  add_text os_name "${pretty:-${os_name:-Linux}}"
  add_text os_arch "$arch"
  add_text os_kernel "$(uname -r)"
}

# The names that the firmware gives this machine, as far as every account may read them: a provider writes its own name there.
read_machine() {
  local name names=''
  for name in sys_vendor product_name product_version board_vendor chassis_vendor chassis_asset_tag bios_vendor bios_version; do
    slurp "$dmi_root/$name"
    REPLY=${REPLY%%$'\n'*}
    [ -n "$REPLY" ] || continue
    to_json_text "${REPLY:0:128}"
    names+=",\"$name\":$REPLY"
  done
  add machine "{${names:1}}"
}

measure_cpu() {
  local name value model='' mhz='' cores=0 states one five fifteen
  while IFS=: read -r name value; do
    case $name in
      processor*) cores=$((cores + 1)) ;;
      'model name'*) model=${model:-${value# }} ;;
      'cpu MHz'*) mhz=${mhz:-${value# }} ;;
    esac
  done < <(cat /proc/cpuinfo 2>/dev/null || :)
  add_text cpu_name "${model:-N/A}"
  add_number cpu_cores "$cores"
  add_number cpu_freq "${mhz:-0}"
  read -r name states < <(cat /proc/stat 2>/dev/null || :) || states=''
  local -a jiffies=($states)
  local joined=''
  for value in "${jiffies[@]:0:8}"; do
    to_json_number "$value"
    joined+=,$REPLY
  done
  [ -z "$joined" ] || add cpu_jiffies "[${joined:1}]"
  slurp /proc/loadavg
  read -r one five fifteen _ <<<"$REPLY"
  to_json_number "$one" && one=$REPLY
  to_json_number "$five" && five=$REPLY
  to_json_number "$fifteen" && fifteen=$REPLY
  add load "[$one,$five,$fifteen]"
}

measure_memory() {
  local name value total='' available='' free=0 buffers=0 cached=0 swap_total=0 swap_free=0 swap_cached=0
  slurp /proc/meminfo
  while read -r name value _; do
    case $name in
      MemTotal:) total=$value ;;
      MemAvailable:) available=$value ;;
      MemFree:) free=$value ;;
      Buffers:) buffers=$value ;;
      Cached:) cached=$value ;;
      SwapTotal:) swap_total=$value ;;
      SwapFree:) swap_free=$value ;;
      SwapCached:) swap_cached=$value ;;
    esac
  done <<<"$REPLY"
  [ -n "$total" ] || return 0
  # Kernels before 3.14 have no MemAvailable.
  available=${available:-$((free + buffers + cached))}
  add mem "{\"total\":$((total * 1024)),\"available\":$((available * 1024))}"
  add swap "{\"total\":$((swap_total * 1024)),\"free\":$((swap_free * 1024)),\"cached\":$((swap_cached * 1024))}"
}

# Pressure stall information, on kernels that have it (4.20 or later).
measure_pressure() {
  local resource kind average total parts=''
  for resource in cpu memory io; do
    slurp "/proc/pressure/$resource"
    while read -r kind _ average _ total; do
      [[ $kind == some || $kind == full ]] || continue
      to_json_number "${average#avg60=}" && average=$REPLY
      to_json_number "${total#total=}"
      parts+=",\"${resource}_$kind\":{\"avg60\":$average,\"total\":$REPLY}"
    done <<<"$REPLY"
  done
  [ -z "$parts" ] || add psi "{${parts:1}}"
}

measure_network() {
  local name counters list='' nic='' ipv6='' ipv4='' address scope device destination flags metric best=''
  slurp /proc/net/dev
  while IFS=': ' read -r name counters; do
    counts_as_nic "$name" || continue
    local -a field=($counters)
    [ ${#field[@]} -ge 12 ] || continue
    to_json_text "$name"
    list+=",{\"name\":$REPLY,\"rx\":${field[0]},\"tx\":${field[8]},\"errs\":$((field[2] + field[10])),\"drop\":$((field[3] + field[11]))}"
  done < <(printf '%s' "$REPLY" | tail -n +3)
  add net "[${list:1}]"
  slurp /proc/net/route
  while read -r device destination _ flags _ _ metric _; do
    if [ "$destination" = 00000000 ] && { [ -z "$best" ] || [ "$metric" -lt "$best" ]; }; then nic=$device best=$metric; fi
  done <<<"$REPLY"
  slurp /proc/net/if_inet6
  while read -r address _ _ scope _ device; do
    [ "${scope:-}" = 00 ] || continue
    nic=${nic:-$device}
    if [ "$device" = "$nic" ]; then printf -v ipv6 '%s:%s:%s:%s:%s:%s:%s:%s' $(fold -w 4 <<<"$address") && break; fi
  done <<<"$REPLY"
  ipv4=$(first_ipv4 "$nic")
  add_text nic "${nic:-N/A}"
  add_text ipv4 "${ipv4:-N/A}"
  add_text ipv6 "${ipv6:-N/A}"
}

# Bridges, bonds, VLANs, tunnels and container ends would count the traffic of a network card twice.
counts_as_nic() {
  case $1 in
    '' | lo | veth* | br-* | docker* | cali* | cni* | flannel* | virbr* | vnet* | tap* | tun* | wg* | tailscale* | dummy* | ifb* | lxc* | lxd* | kube-* | sit* | ip6tnl*) return 1 ;;
  esac
  [ ! -d "/sys/class/net/$1/bridge" ] && [ ! -d "/sys/class/net/$1/bonding" ] && [ ! -e "/proc/net/vlan/$1" ]
}

# Not every machine has iproute2. The kernel's own table of local addresses is everywhere, but does not name their interfaces.
first_ipv4() {
  local line last=''
  if [ -n "$1" ] && command -v ip >/dev/null; then
    read -r _ _ _ last _ < <(ip -4 -o address show dev "$1" scope global 2>/dev/null || :) || :
    printf '%s' "${last%%/*}"
    return
  fi
  while read -r line; do
    case $line in
      '|-- '*) last=${line#|-- } ;;
      '/32 host LOCAL')
        [[ $last == 127.* ]] || { printf '%s' "$last" && return; }
        ;;
    esac
  done < <(cat /proc/net/fib_trie 2>/dev/null || :)
}

# One entry per file system. df leaves out bind mounts, and mounts with the same source (btrfs subvolumes, the datasets of a
# ZFS pool) are one. Inside a container there is only the overlay, so the overlay counts there.
measure_disks() {
  local size used avail inodes inodes_used type source mount list='' fallback='' entry key
  local -A seen=()
  while read -r size used avail inodes inodes_used type source mount; do
    [[ $size =~ ^[1-9][0-9]*$ ]] || continue
    key=$source
    [ "$type" != zfs ] || key=zfs:${source%%/*}
    to_json_number "$used" && used=$REPLY
    to_json_number "$avail" && avail=$REPLY
    to_json_number "$inodes" && inodes=$REPLY
    to_json_number "$inodes_used" && inodes_used=$REPLY
    entry="\"type\":\"${type//[!a-zA-Z0-9._-]/}\",\"total\":$size,\"used\":$used,\"avail\":$avail,\"inodes\":$inodes,\"inodes_used\":$inodes_used"
    to_json_text "$source" && entry="{\"dev\":$REPLY,$entry"
    to_json_text "$mount" && entry+=",\"mount\":$REPLY}"
    case $type in
      tmpfs | devtmpfs | squashfs | iso9660 | ramfs | efivarfs | fuse.snapfuse) continue ;;
      overlay) [ "$mount" = / ] && fallback=$entry && continue || continue ;;
    esac
    [ -z "${seen[$key]:-}" ] || continue
    seen[$key]=1
    list+=,$entry
  done < <(timeout 10 df -l -B1 --output=size,used,avail,itotal,iused,fstype,source,target 2>/dev/null || :)
  [ -n "$list" ] || list=${fallback:+,$fallback}
  add fs "[${list:1}]"
}

measure_counts() {
  local handles limit state count connections=0
  slurp /proc/sys/fs/file-nr
  read -r handles _ limit <<<"$REPLY"
  add_number file_handles "$handles"
  # Many kernels report 2^63 - 1, which JavaScript cannot represent exactly.
  if [ ${#limit} -gt 15 ]; then limit=9007199254740991; fi
  add_number file_handles_limit "$limit"
  add_number sessions "$(who 2>/dev/null | wc -l)"
  # State 0A is a listening TCP socket, 07 a UDP socket that is bound but not connected (include/net/tcp_states.h).
  while read -r count state; do
    [[ ! $state =~ ^[0-9A-F]{2}$ || $state == 0A || $state == 07 ]] || connections=$((connections + count))
  done < <(cat /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6 2>/dev/null | cut -d: -f4 | cut -d' ' -f2 | sort | uniq -c || :)
  add_number connections "$connections"
}

# The ten processes that used most CPU since the last report (the first time: since their start, of a second at least), and the ten
# largest in memory.
# The name is the kernel's own (15 bytes). Command lines can hold passwords, so they are not sent.
measure_processes() {
  local keep=$1 boot=$2 uptime=$3 path pid name ticks start spell line owner since='' key entry list='' saved='' page
  local -A before=() owners=() named=() cpu=() resident=()
  local -a field ranking=()
  page=$(getconf PAGESIZE 2>/dev/null || printf 4096)
  if { read -r line since <"$state_dir/processes"; } 2>/dev/null && [ "$line" = "$boot" ]; then
    while read -r key ticks; do before[$key]=$ticks; done < <(tail -n +2 "$state_dir/processes")
  else
    since=''
  fi
  set +f
  local -a paths=(/proc/[0-9]*)
  set -f
  while read -r owner path; do owners[${path#/proc/}]=$owner; done < <(stat -c '%U %n' -- "${paths[@]}" 2>/dev/null || :)
  for path in "${paths[@]}"; do
    slurp "$path/stat"
    [ -n "$REPLY" ] || continue
    pid=${path#/proc/}
    # A name may hold blanks, brackets and line breaks, so it ends at the last bracket.
    name=${REPLY#*(} name=${name%)*}
    field=(${REPLY##*) })
    [ ${#field[@]} -gt 21 ] || continue
    ticks=$((field[11] + field[12])) start=${field[19]} key=$pid:$start
    saved+=$key' '$ticks$'\n'
    [ -z "${before[$key]:-}" ] || ticks=$((ticks - before[$key]))
    # In hundredths of a second, like uptime. A new process counts over the whole time since the last report: the kernel counts in
    # ticks, and over the few hundredths of such a process's own life one tick too many is hundreds of percent.
    spell=$((uptime - ${since:-$uptime})) start=$((uptime - start * 100 / user_hz))
    [ -n "${before[$key]:-}" ] || [ "$start" -le "$spell" ] || spell=$start
    [ "$spell" -ge 100 ] || spell=100
    cpu[$pid]=$((ticks * 100000 / user_hz / spell))
    resident[$pid]=$((field[21] * page))
    named[$pid]=$name
    ranking+=("${cpu[$pid]} ${resident[$pid]} $pid")
  done
  add_number processes "${#ranking[@]}"
  while read -r pid; do
    [ -n "$pid" ] || continue
    to_json_text "${owners[$pid]:-?}" && entry="{\"user\":$REPLY"
    to_json_text "${named[$pid]}"
    list+=",$entry,\"cpu\":$((cpu[$pid] / 10)).$((cpu[$pid] % 10)),\"rss\":${resident[$pid]},\"name\":$REPLY}"
  done < <(
    {
      printf '%s\n' "${ranking[@]}" | sort -k1,1rn -k2,2rn | head -n 10
      printf '%s\n' "${ranking[@]}" | sort -k2,2rn -k1,1rn | head -n 10
    } | cut -d' ' -f3 | cat -n | sort -k2,2n -u | sort -k1,1n | cut -f2
  )
  add top "[${list:1}]"
  [ "$keep" != keep ] || printf '%s %s\n%s' "$boot" "$uptime" "$saved" >"$state_dir/processes"
}

# Containers by their id; the console knows the app of each id. Docker's systemd or cgroupfs layout, in cgroup v2's one tree or in
# v1's trees, of which memory's stands for all.
measure_apps() {
  local path id cpu memory inactive limit pids list='' network
  set +f
  local -a paths=("$cgroup_root"{,/memory}/system.slice/docker-*.scope "$cgroup_root"{,/memory}/docker/*)
  set -f
  for path in "${paths[@]}"; do
    id=${path##*/} id=${id#docker-} id=${id%.scope}
    [[ $id =~ ^[0-9a-f]{64}$ ]] || continue
    if [ -r "$path/cpu.stat" ]; then
      read_cgroup "$path"
    elif [ -r "$path/memory.usage_in_bytes" ]; then
      read_cgroup_v1 "${path#"$cgroup_root"/memory/}"
    else
      continue
    fi
    network=$(container_network "$path")
    container_mounts "$path"
    list+=",{\"id\":\"$id\",\"cpu_usec\":$cpu,\"memory\":$memory,\"inactive_file\":$inactive,\"memory_max\":$limit,\"pids\":$pids$network$REPLY}"
  done
  add apps "[${list:1}]"
}

# Sets cpu (microseconds), memory, inactive, limit and pids, as read_cgroup_v1 does. A limit that is not set is null.
read_cgroup() {
  local name value usage='' cached=0
  slurp "$1/cpu.stat"
  while read -r name value; do [ "$name" != usage_usec ] || usage=$value; done <<<"$REPLY"
  slurp "$1/memory.stat"
  while read -r name value; do [ "$name" != inactive_file ] || cached=$value; done <<<"$REPLY"
  to_json_number "$usage" && cpu=$REPLY
  to_json_number "$cached" && inactive=$REPLY
  slurp "$1/memory.current" && to_json_number "${REPLY%$'\n'}" && memory=$REPLY
  slurp "$1/memory.max" && to_json_number "${REPLY%$'\n'}" && limit=$REPLY
  slurp "$1/pids.current" && to_json_number "${REPLY%$'\n'}" && pids=$REPLY
}

# $1 is the container's path, the same in each tree.
read_cgroup_v1() {
  local name value cached=0
  slurp "$cgroup_root/cpuacct/$1/cpuacct.usage"
  # In nanoseconds, of which a container of a few weeks has more digits than a report takes.
  value=${REPLY%$'\n'} cpu=null
  [[ ! $value =~ ^(0|[1-9][0-9]{0,17})$ ]] || cpu=$((value / 1000))
  slurp "$cgroup_root/memory/$1/memory.stat"
  while read -r name value; do [ "$name" != total_inactive_file ] || cached=$value; done <<<"$REPLY"
  to_json_number "$cached" && inactive=$REPLY
  slurp "$cgroup_root/memory/$1/memory.usage_in_bytes" && to_json_number "${REPLY%$'\n'}" && memory=$REPLY
  # Without a limit the kernel tells nearly 2^63, which is no number for a report and so null.
  slurp "$cgroup_root/memory/$1/memory.limit_in_bytes" && to_json_number "${REPLY%$'\n'}" && limit=$REPLY
  slurp "$cgroup_root/pids/$1/pids.current" && to_json_number "${REPLY%$'\n'}" && pids=$REPLY
}

# ,"rx":n,"tx":n summed over the interfaces that a process of the container sees. Empty when the container shares the host's network.
container_network() {
  local pid='' name counters rx=0 tx=0
  { read -r pid <"$1/cgroup.procs"; } 2>/dev/null || return 0
  [ "$(readlink "/proc/$pid/ns/net" 2>/dev/null)" != "$(readlink /proc/self/ns/net)" ] || return 0
  slurp "/proc/$pid/net/dev"
  [ -n "$REPLY" ] || return 0
  while IFS=': ' read -r name counters; do
    [ "$name" != lo ] || continue
    local -a field=($counters)
    [ ${#field[@]} -ge 12 ] || continue
    rx=$((rx + field[0])) tx=$((tx + field[8]))
  done < <(printf '%s' "$REPLY" | tail -n +3)
  printf ',"rx":%s,"tx":%s' "$rx" "$tx"
}

# --- storage ----------------------------------------------------------------------------------------------------------

# Reads the sizes that measure_storage stored: sets storage_at (seconds), storage_ts (the same in milliseconds, or empty) and
# storage_bytes, by folder as the kernel writes its path. Sets host_mounts for container_mounts.
read_storage() {
  local bytes folder device root point
  storage_at='' storage_ts='' host_mounts=()
  declare -gA storage_bytes=() storage_folders=()
  if { read -r storage_at; } 2>/dev/null <"$state_dir/storage" && [[ $storage_at =~ ^[0-9]{1,12}$ ]]; then
    while read -r bytes folder; do storage_bytes[$folder]=$bytes; done < <(tail -n +2 "$state_dir/storage")
    [ ${#storage_bytes[@]} -eq 0 ] || storage_ts=${storage_at}000
  else
    storage_at=''
  fi
  while read -r _ _ device root point _; do host_mounts+=("$device $root $point"); done < <(cat /proc/self/mountinfo 2>/dev/null || :)
}

# REPLY = ,"mounts":[…]: the folders of the host that a container has mounted, which outlive it (proc_pid_mountinfo(5)). The size
# is null until it is measured, and where not everything may be read. Empty when the kernel does not tell. Docker's own three files
# and the kernel's file systems are no storage.
container_mounts() {
  local pid='' device root point rest list='' text bytes count=0
  REPLY=''
  { read -r pid <"$1/cgroup.procs"; } 2>/dev/null || return 0
  [ "$(readlink "/proc/$pid/ns/mnt" 2>/dev/null)" != "$(readlink /proc/self/ns/mnt)" ] || return 0
  [ -r "/proc/$pid/mountinfo" ] || return 0
  while read -r _ _ device root point rest; do
    case $point in
      / | /proc | /proc/* | /sys | /sys/* | /dev | /dev/* | /run | /run/* | /etc/resolv.conf | /etc/hostname | /etc/hosts) continue ;;
    esac
    # What lies in memory does not outlive the server.
    [[ $rest != *' - tmpfs '* ]] || continue
    host_folder "$device" "$root" || continue
    [ "$count" -lt 8 ] || break
    count=$((count + 1))
    storage_folders[$REPLY]=1
    bytes=${storage_bytes[$REPLY]:-null}
    printf -v text '%b' "$REPLY"
    to_json_text "$text"
    list+=",{\"path\":$REPLY,\"bytes\":$bytes}"
  done < <(cat "/proc/$pid/mountinfo" 2>/dev/null || :)
  REPLY=",\"mounts\":[${list:1}]"
}

# REPLY = the path on the host of folder $2 of the file system $1: below the mount point that shows the longest part of that path.
host_folder() {
  local entry device root point best='' path=''
  for entry in "${host_mounts[@]}"; do
    read -r device root point <<<"$entry"
    [ "$device" = "$1" ] || continue
    [ "$root" != / ] || root=''
    [[ $2 == "$root" || $2 == "$root"/* ]] || continue
    if [ -z "$path" ] || [ ${#root} -gt ${#best} ]; then
      [ "$point" != / ] || point=''
      best=$root path=$point${2#"$root"}
    fi
  done
  REPLY=$path
  [ -n "$path" ] && [ "$path" != / ]
}

# Sums up the folders of the containers that run, after the report is sent: every six hours, or a quarter of an hour after a new
# folder was seen. The time is stored first, so that a measurement that is killed is not repeated at once.
measure_storage() {
  local now folder path bytes fresh='' result=''
  local -a gently=(nice -n 19)
  printf -v now '%(%s)T' -1
  if [ -z "$storage_at" ]; then
    printf '%s\n' "$now" >"$state_dir/storage"
    return
  fi
  for folder in "${!storage_folders[@]}"; do [ -n "${storage_bytes[$folder]:-}" ] || fresh=1; done
  [ $((now - storage_at)) -ge "$storage_every_s" ] || { [ -n "$fresh" ] && [ $((now - storage_at)) -ge "$storage_retry_s" ]; } || return 0
  {
    printf '%s\n' "$now"
    for folder in "${!storage_bytes[@]}"; do printf '%s %s\n' "${storage_bytes[$folder]}" "$folder"; done
  } >"$state_dir/storage.new"
  mv "$state_dir/storage.new" "$state_dir/storage"
  ! command -v ionice >/dev/null || gently+=(ionice -c 3)
  SECONDS=0
  for folder in "${!storage_folders[@]}"; do
    printf -v path '%b' "$folder"
    bytes=null
    if [ "$SECONDS" -lt "$storage_budget_s" ]; then
      # du fails when it may not read everything. Its sum would be too small then.
      result=$(timeout "$storage_deadline_s" "${gently[@]}" du -sxb -- "$path" 2>/dev/null) && bytes=${result%%[[:space:]]*}
      [[ $bytes =~ ^[0-9]{1,15}$ ]] || bytes=null
    fi
    printf '%s %s\n' "$bytes" "$folder"
  done >"$state_dir/run/storage"
  { printf '%s\n' "$now" && cat "$state_dir/run/storage"; } >"$state_dir/storage.new"
  mv "$state_dir/storage.new" "$state_dir/storage"
}

# --- scheduled backups -----------------------------------------------------------------------------------------------

# The runs that Homeport's Dokku plugin wrote since the last report, oldest first. Each line is an object of JSON with a number. A
# line of another form is left out: another account writes the file. The file starts again at 1 when somebody removes it.
read_backups() {
  local line last=0 newest=0 list='' count=0 number
  local -a lines=()
  [ -r "$backup_runs" ] || return 0
  { read -r last <"$state_dir/backups"; } 2>/dev/null || last=0
  [[ $last =~ ^[0-9]{1,15}$ ]] || last=0
  mapfile -t lines < <(tail -c 400000 -- "$backup_runs" 2>/dev/null | tail -n 400)
  for line in "${lines[@]}"; do
    [[ ! $line =~ $backup_line ]] || newest=${BASH_REMATCH[1]}
  done
  if [ "$newest" -lt "$last" ]; then last=0; fi
  for line in "${lines[@]}"; do
    [[ ${#line} -le 1000 && $line =~ $backup_line ]] || continue
    number=${BASH_REMATCH[1]}
    [ "$number" -gt "$last" ] && [ "$count" -lt "$backups_at_once" ] || continue
    count=$((count + 1)) last=$number
    list+=,$line
  done
  [ "$count" -eq 0 ] || add backups "[${list:1}]"
  [ "$1" != keep ] || [ "$count" -eq 0 ] || printf '%s\n' "$last" >"$state_dir/run/backups"
}

# --- latency ----------------------------------------------------------------------------------------------------------

# TCP connect times, because ICMP would need a setuid program. One process measures each target, all at the same time.
start_pings() {
  ping_pids=()
  local name
  for name in eu us asia; do
    local target=ping_$name
    [ "${!target}" != none ] || continue
    connect_time "${!target}" >"$1/$name" 2>/dev/null &
    ping_pids+=("$!")
  done
}

# Microseconds of the faster of two connects to host:port. The name is looked up before the clock starts.
connect_time() {
  local host=${1%:*} port=${1##*:} address=''
  address=$(timeout 3 getent ahosts "$host") || :
  address=${address%%[[:space:]]*}
  timeout 4 bash -c '
    best=""
    for turn in 1 2; do
      begin=${EPOCHREALTIME-} begin=${begin/[.,]/}
      [ -n "$begin" ] || begin=$(($(date +%s%N) / 1000))
      exec 3<>"/dev/tcp/$1/$2" || exit 1
      end=${EPOCHREALTIME-} end=${end/[.,]/}
      [ -n "$end" ] || end=$(($(date +%s%N) / 1000))
      exec 3>&-
      [ -n "$best" ] && [ "$best" -le $((end - begin)) ] || best=$((end - begin))
    done
    printf "%s\n" "$best"
  ' connect "${address:-$host}" "$port"
}

collect_pings() {
  local name value pid
  for pid in "${ping_pids[@]}"; do wait "$pid" || :; done
  for name in eu us asia; do
    slurp "$1/$name"
    value=${REPLY%$'\n'}
    [[ $value =~ ^[0-9]{1,8}$ ]] && printf -v value '%d.%03d' $((value / 1000)) $((value % 1000)) || value=''
    add_number "ping_$name" "$value"
  done
}

main "$@"
