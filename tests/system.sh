#!/bin/sh
# Install the programs that some tests drive, where this machine has apt and we may use it. Without them those tests skip.
command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || exit 0
missing=
command -v chromium >/dev/null || missing="$missing chromium"
command -v svnadmin >/dev/null || missing="$missing subversion"
[ -e /usr/share/wordnet/data.noun ] || missing="$missing wordnet-base"
[ -n "$missing" ] || exit 0
echo "installing$missing" >&2
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } \
  >/dev/null 2>&1 || echo "could not install$missing: some tests will skip" >&2
