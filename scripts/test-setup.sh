#!/usr/bin/env bash
# `npm run test:setup`: installs, on Debian and Ubuntu, what the tests use in addition to Node.js: a browser, message centres, proxies, a pooler, readers of
# mail, and the column store. Tests whose program is missing are skipped by name, so nothing here has to succeed but the browser.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v apt-get >/dev/null; then
  echo "This installs with apt-get, which is not here. Install by hand what scripts/test-setup.sh lists; tests that lack it are skipped."
  exit 1
fi
if [ "$(id -u)" = 0 ]; then as_root=(); else as_root=(sudo); fi

# install WHAT_FOR PACKAGE...
install() {
  local purpose=$1
  shift
  echo "installing $* for $purpose"
  if [ -z "${updated:-}" ]; then
    "${as_root[@]}" apt-get update -qq
    updated=1
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
optional() { install "$@" || echo "not installed: the tests of $1 are skipped"; }

command -v chromium-headless-shell >/dev/null || install "the console's tests" chromium-headless-shell || install "the console's tests" chromium
[ -x /usr/lib/kannel/test/drive_smpp ] && [ -e /usr/share/perl5/Net/SMPP.pm ] || optional "SMPP against foreign message centres" kannel-extras libnet-smpp-perl
/usr/bin/python3 -c 'import dkim' 2>/dev/null || optional "mail read by foreign programs" python3 python3-dkim
command -v nginx >/dev/null && command -v caddy >/dev/null || optional "proxies in front of the service" nginx caddy
command -v pgbouncer >/dev/null || optional "a pooler of database connections" pgbouncer
command -v zsh >/dev/null && command -v groff >/dev/null || optional "the command line" zsh groff
command -v faketime >/dev/null || optional "other dates" faketime libfaketime

node scripts/setup.js
node_modules/node/bin/node test/fakes/column-store/columnar-engine-setup.ts
