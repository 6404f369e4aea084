#!/bin/sh
# What the official PostgreSQL image does with POSTGRES_DB and POSTGRES_PASSWORD.
set -eu
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
data=/var/lib/postgresql/data
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
if [ ! -s $data/PG_VERSION ]; then
  chown postgres $data
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  as_postgres initdb -D $data -U postgres -A scram-sha-256 --pwfile=/tmp/password
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>$data/pg_hba.conf
  echo "create database $POSTGRES_DB" | as_postgres postgres --single -D $data postgres
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -D $data -c 'listen_addresses=*'
