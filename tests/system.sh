#!/bin/sh
# Install the programs that some tests need from the packages of the system, if it has apt and we are root.
# With SYSTEM=no, install nothing. Tests whose program is missing are skipped, and the end of a run counts them.
missing=
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
  missing="$missing chromium"
command -v svnadmin >/dev/null || missing="$missing subversion"
[ -e /usr/share/wordnet/data.noun ] || missing="$missing wordnet-base"
command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
[ -n "$missing" ] || exit 0

if [ "$SYSTEM" = no ]; then
  echo "SYSTEM=no: nothing is installed. Tests that need one of these packages are skipped:$missing"
  exit 0
fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "Only root can install packages of the system, with apt. Tests that need one of these are skipped:$missing"
  exit 0
fi
echo "Installing packages of the system with apt-get:$missing (to install nothing, run make test SYSTEM=no)"
# The tests start servers of their own, so the package does not have to start one.
settings=/etc/postgresql-common/createcluster.conf
case $missing in *postgresql*)
  [ -e $settings ] || { mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" >$settings; } ;;
esac
export DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1
# shellcheck disable=SC2086 # one word per package
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } >/dev/null 2>&1 ||
  echo "apt-get could not install all of them. Tests whose program is missing are skipped." >&2
