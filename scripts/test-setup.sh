#!/usr/bin/env bash
# `npm run test:setup`: installs the programs that the tests use in addition to Node.js, on Debian and Ubuntu: a browser, message centres, proxies, a pooler,
# mail readers, PHP and the column store. Tests of missing programs are skipped and listed by name, so only the browser is required.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v apt-get >/dev/null; then
  echo "This script requires apt-get. Install the packages that scripts/test-setup.sh lists yourself. Tests of missing programs are skipped."
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
optional() { install "$@" || echo "installation failed: tests of $1 are skipped"; }

command -v chromium-headless-shell >/dev/null || install "tests of the console" chromium-headless-shell || install "tests of the console" chromium
[ -x /usr/lib/kannel/test/drive_smpp ] && [ -e /usr/share/perl5/Net/SMPP.pm ] || optional "SMPP with other message centres" kannel-extras libnet-smpp-perl
/usr/bin/python3 -c 'import dkim' 2>/dev/null || optional "email read by other programs" python3 python3-dkim
command -v nginx >/dev/null && command -v caddy >/dev/null || optional "proxies in front of the service" nginx caddy
command -v pgbouncer >/dev/null || optional "a database connection pooler" pgbouncer
command -v zsh >/dev/null && command -v groff >/dev/null || optional "the command line" zsh groff
php -r 'exit(extension_loaded("curl") ? 0 : 1);' 2>/dev/null || optional "the PHP client" php-cli php-curl
command -v faketime >/dev/null || optional "other dates" faketime libfaketime

node scripts/setup.js
node_modules/node/bin/node test/fakes/column-store/columnar-engine-setup.ts
