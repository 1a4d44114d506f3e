#!/usr/bin/env bash
# Removes the Homeport agent: timer or cron line, program, settings with the token, stored reports. Run as root. Safe to
# run again, and after half an installation.
#
# Usage: uninstall.sh [--user NAME] [--remove-user] [--root DIR]
#   --remove-user  remove the account too; it stays otherwise, since app actions may run through it
#   --root         the DIR that install.sh was given
set -euf
export LC_ALL=C

main() {
  local user=homeport root='' remove_user=no
  while [ $# -gt 0 ]; do
    case $1 in
      --user) user=${2:?--user needs a name} && shift ;;
      --root) root=${2:?--root needs a folder} && shift ;;
      --remove-user) remove_user=yes ;;
      *) fail "unknown option $1" ;;
    esac
    shift
  done
  [ "$(id -u)" -eq 0 ] || [ -n "$root" ] || fail 'this must run as root'
  [[ $user =~ ^[a-z_][a-z0-9_-]{0,31}$ && $user != root ]] || fail '--user is not an account of the agent'
  unschedule "$root" "$user"
  rm -rf "$root/usr/local/lib/homeport-agent" "$root/etc/homeport-agent" "$root/var/lib/homeport-agent"
  if [ "$remove_user" = yes ] && id -u "$user" >/dev/null 2>&1; then remove_account "$user"; fi
  printf 'Homeport agent removed\n'
}

fail() {
  printf 'homeport-agent uninstall: %s\n' "$1" >&2
  exit 1
}

unschedule() {
  local units=$1/etc/systemd/system
  if [ -z "$1" ] && [ -d /run/systemd/system ]; then
    systemctl disable --now homeport-agent.timer 2>/dev/null || :
    systemctl stop homeport-agent.service 2>/dev/null || :
  fi
  rm -f "$units/homeport-agent.timer" "$units/homeport-agent.service" "$1/etc/cron.d/homeport-agent"
  if [ -z "$1" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
  if [ -z "$1" ] && id -u "$2" >/dev/null 2>&1 && crontab -u "$2" -l >/dev/null 2>&1; then
    crontab -u "$2" -l | without_agent | crontab -u "$2" -
  fi
}

without_agent() {
  local line
  while IFS= read -r line; do [[ $line == *homeport-agent* ]] || printf '%s\n' "$line"; done
}

remove_account() {
  if command -v userdel >/dev/null; then userdel "$1"; else deluser "$1"; fi
}

main "$@"
