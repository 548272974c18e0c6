#!/bin/sh
# Makes the certificates of the transport tests anew, valid for a hundred years. They guard nothing.
set -e
cd "$(dirname "$0")"
days=36500
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
authority() {
  key "$1.key.pem"
  openssl req -x509 -new -key "$1.key.pem" -days "$days" -subj "/CN=$2" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign -out "$1.pem"
}
signed() { # name, subject, extensions, days, issuer
  key "$1.key.pem"
  openssl req -new -key "$1.key.pem" -subj "/CN=$2" -out request.tmp
  printf '%s\n' "$3" > extensions.tmp
  openssl x509 -req -in request.tmp -CA "$5.pem" -CAkey "$5.key.pem" -extfile extensions.tmp $4 -out "$1.pem"
}
authority authority "Test authority"
signed service shop.example "subjectAltName=DNS:localhost,DNS:shop.example,IP:127.0.0.1,IP:::1" "-days $days" authority
signed elsewhere elsewhere.example "subjectAltName=DNS:elsewhere.example" "-days $days" authority
signed client "Test client" "extendedKeyUsage=clientAuth" "-days $days" authority
signed intermediate "Test intermediate" "basicConstraints=critical,CA:TRUE" "-days $days" authority
signed beneath localhost "subjectAltName=DNS:localhost,IP:127.0.0.1" "-days $days" intermediate
# One that has expired: only `openssl ca` takes dates.
key expired.key.pem
openssl req -new -key expired.key.pem -subj /CN=localhost -out request.tmp
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' > extensions.tmp
: > index.tmp
printf '[ca]\ndefault_ca=d\n[d]\ndatabase=index.tmp\nrand_serial=yes\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n' > ca.tmp
openssl ca -batch -notext -config ca.tmp -cert authority.pem -keyfile authority.key.pem -extfile extensions.tmp \
  -startdate 20200101000000Z -enddate 20200102000000Z -in request.tmp -out expired.pem
rm -f ./*.tmp ./*.tmp.* authority.key.pem intermediate.key.pem [0-9A-F]*.pem
