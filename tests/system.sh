#!/bin/sh
# Install the programs that some tests drive, where this machine has apt and we may use it. Without them those tests skip.
command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || exit 0
missing=
command -v chromium >/dev/null || missing="$missing chromium"
command -v svnadmin >/dev/null || missing="$missing subversion"
[ -e /usr/share/wordnet/data.noun ] || missing="$missing wordnet-base"
if ! command -v postgres >/dev/null && ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then
  missing="$missing postgresql"
  # The tests start servers of their own: the package need not start one for all times.
  settings=/etc/postgresql-common/createcluster.conf
  [ -e $settings ] || { mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" >$settings; }
fi
[ -n "$missing" ] || exit 0
echo "installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } \
  >/dev/null 2>&1 || echo "could not install$missing: some tests will skip" >&2
