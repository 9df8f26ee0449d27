import { all, insertAfter, insertBefore, type MergeCase, moveBefore, replace } from './mergeCase';

const text = `#!/usr/bin/env bash
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
target="$here/backup"
keep=7

usage() {
  echo "usage: $0 [-k days] source" >&2
  exit 2
}

log() {
  echo "$(date +%H:%M:%S) $*"
}

while getopts "k:" option; do
  case "$option" in
    k)
      keep="$OPTARG"
      ;;
    *)
      usage
      ;;
  esac
done
shift $((OPTIND - 1))

if [ $# -ne 1 ]; then
  usage
fi
source="$1"

if [ ! -d "$source" ]; then
  log "no such folder: $source"
  exit 1
fi

mkdir -p "$target"
archive="$target/$(date +%Y-%m-%d).tar.gz"
log "writing $archive"
tar -czf "$archive" -C "$source" .

log "removing archives older than $keep days"
find "$target" -name '*.tar.gz' -mtime "+$keep" -delete
log "done"
`;

const log = 'log() {\n  echo "$(date +%H:%M:%S) $*"\n}\n\n';

export const shell: MergeCase = {
  path: 'scripts/backup.sh',
  text,
  edits: {
    'adds an option': all(
      replace('while getopts "k:" option; do', 'while getopts "k:n" option; do'),
      insertBefore('    *)\n      usage\n', '    n)\n      dry=1\n      ;;\n'),
      insertAfter('keep=7\n', 'dry=0\n'),
    ),
    'moves a function up': moveBefore(log, 'usage() {\n'),
    'checks the archive': insertAfter(
      'tar -czf "$archive" -C "$source" .\n',
      'tar -tzf "$archive" > /dev/null\n',
    ),
    'excludes a folder': replace(
      'tar -czf "$archive" -C "$source" .',
      'tar -czf "$archive" --exclude=node_modules -C "$source" .',
    ),
    'prints a summary at the end': replace(
      'log "done"\n',
      'log "done: $(du -h "$archive" | cut -f1)"\n',
    ),
  },
};
