#!/bin/sh
# Makes all files of this folder anew, with openssl 3. The keys are no secret: they certify nobody outside the contract.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
days=36500

authority() {
    openssl ecparam -name prime256v1 -genkey -noout -out "$work/$1.key"
    openssl req -x509 -new -key "$work/$1.key" -days $days -subj "/CN=contract-$1" -out "$1.crt"
}

# signed NAME SUBJECT EXTENSIONS: a certificate of authority for the key in $work/NAME.key
signed() {
    printf '%s\n' "$3" > "$work/extensions"
    openssl req -new -key "$work/$1.key" -subj "/CN=$2" -out "$work/request"
    openssl x509 -req -in "$work/request" -CA authority.crt -CAkey "$work/authority.key" -days $days \
        -extfile "$work/extensions" -out "$work/$1.crt"
}

authority authority
authority stranger

openssl ecparam -name prime256v1 -genkey -noout -out "$work/server.key"
signed server contract-server 'subjectAltName=IP:127.0.0.1,DNS:cluster.contract.test
extendedKeyUsage=serverAuth'
openssl pkcs12 -export -inkey "$work/server.key" -in "$work/server.crt" -passout pass:changeit -out server.p12

openssl ecparam -name prime256v1 -genkey -out ec-sec1-with-parameters.key
openssl ec -in ec-sec1-with-parameters.key -out ec-sec1.key
openssl pkcs8 -topk8 -nocrypt -in ec-sec1.key -out ec-pkcs8.key
cp ec-sec1.key "$work/ec.key"
signed ec contract-client 'extendedKeyUsage=clientAuth'
cp "$work/ec.crt" ec.crt

openssl genrsa -out rsa-pkcs8.key 2048
openssl rsa -in rsa-pkcs8.key -traditional -out rsa-pkcs1.key
cp rsa-pkcs8.key "$work/rsa.key"
signed rsa contract-client 'extendedKeyUsage=clientAuth'
cp "$work/rsa.crt" rsa.crt
