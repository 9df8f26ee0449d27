#!/bin/sh
# Notes for Splice that a coding agent did something, so that Splice can say which agent changed a file.
#   splice-spool.sh <file> <agent> [<event>]      with the event as JSON on the standard input
# One line is appended to <file>. It has names, ids, paths and the time: no prompt, no command, no content of a file.
# When a prompt is sent, a message that the user has handed over to this session is printed, once; see the end.
# The agent never waits for this longer than two seconds and never fails by it: nothing else is printed, and it exits 0.
# splice-spool.cjs does the same on Windows.
exec 3>&1 >/dev/null 2>&1
umask 077
export LC_ALL=C
export file="$1" agent="$2" event="$3"
max_file=8388608 # bytes

# Milliseconds: GNU date knows %N, the date of macOS and BusyBox does not.
now=$(date +%s%3N)
case $now in
*[!0-9]* | '') now=$(perl -MTime::HiRes=time -e 'printf "%.0f", time * 1000') || now=$(date +%s)000 ;;
esac

if [ -f "$file" ] && [ "$(wc -c <"$file")" -gt "$max_file" ]; then mv -f "$file" "$file.1"; fi

# macOS has no timeout; an alarm outlives the exec.
limited() {
  if command -v timeout >/dev/null; then timeout 2 "$@"
  elif command -v perl >/dev/null; then perl -e 'alarm 2; exec @ARGV' "$@"
  else "$@"; fi
}

# Reads the JSON piece by piece, split at the quotes, so that a long text costs no memory.
# Values are copied as they are written in JSON, escapes and all, and left out when they are too long.
# Prints the name that a message for this prompt would have.
message=$(now=$now pid=$PPID limited awk '
function field(name, value) { fields[name] = value; line = line ",\"" name "\":\"" value "\"" }
function addPath(value) {
  if (length(value) > 1024 || length(paths) + length(value) > 1500) return
  paths = paths (paths == "" ? "" : ",") "\"" value "\""
}
# The files that a patch names, from a text of which only the last line is kept.
function readPatch(piece,   lines, count, at) {
  count = split(carry piece, lines, /\\n/)
  for (at = 1; at <= count; at++) {
    if (at == count && !isLast) break
    if (lines[at] ~ /^\*\*\* (Add|Update|Delete) File: ./) addPath(substr(lines[at], index(lines[at], ": ") + 2))
    else if (lines[at] ~ /^\*\*\* Move to: ./) addPath(substr(lines[at], 14))
  }
  carry = length(lines[count]) > 2048 ? "-" : lines[count]
}
function endString() {
  if (kind[depth] == "{" && isKey) { name[depth] = value; return }
  if (kind[depth] != "{" || isLong) return
  if (depth == 1 && name[1] in kept) {
    if (length(value) <= (name[1] == "cwd" ? 1024 : 200)) field(name[1], value)
  } else if (name[depth] in pathNames && (depth == 1 || depth == 2 && name[1] in inputs)) addPath(value)
}
function structure(text,   at, character) {
  if (length(text) > 4096) isBroken = 1
  if (isBroken) return
  for (at = 1; at <= length(text); at++) {
    character = substr(text, at, 1)
    if (character == "{" || character == "[") { kind[++depth] = character; isKey = character == "{" }
    else if (character == "}" || character == "]") { depth--; isKey = 0 }
    else if (character == ":") isKey = 0
    else if (character == ",") isKey = kind[depth] == "{"
    if (depth < 1 || depth > 200) { isBroken = 1; return }
  }
}
BEGIN {
  event = ENVIRON["event"]
  RS = "\""
  split("hook_event_name hookEventName session_id sessionId conversation_id prompt_id turn_id turnId generation_id tool_name toolName tool_use_id agent_id cwd", list, " ")
  for (at in list) kept[list[at]] = 1
  split("tool_input toolArgs tool_args", list, " ")
  for (at in list) inputs[list[at]] = 1
  split("file_path filePath notebook_path absolute_path path", list, " ")
  for (at in list) pathNames[list[at]] = 1
  split("command input patch", list, " ")
  for (at in list) patches[list[at]] = 1
}
# Read to the end in any case: the agent must be able to write all of it.
isBroken { next }
isText {
  match($0, /\\*$/)
  isLast = RLENGTH % 2 == 0
  if (isPatch) readPatch(isLast ? $0 : $0 "\"")
  else if (length(value) + length($0) > 2048) isLong = 1
  else value = value (isLast ? $0 : $0 "\"")
  if (isLast) { isText = 0; endString(); value = "" }
  next
}
{
  structure($0)
  isText = 1
  value = carry = ""
  isLong = 0
  isPatch = depth == 2 && !isKey && kind[2] == "{" && name[1] in inputs && name[2] in patches
}
END {
  if (line == "" && event == "") exit
  if (event != "") field("hook_event_name", event)
  if (paths != "") line = line ",\"paths\":[" paths "]"
  printf "{\"agent\":\"%s\",\"time\":%s,\"pid\":%s%s}\n", ENVIRON["agent"], ENVIRON["now"], ENVIRON["pid"], line >> ENVIRON["file"]
  close(ENVIRON["file"])
  # A subagent has the session of its parent.
  if (fields["hook_event_name"] !~ /^(UserPromptSubmit|BeforeAgent)$/ || fields["agent_id"] != "") exit
  message = ENVIRON["agent"] "-" fields["session_id"]
  if (fields["session_id"] != "" && length(message) <= 150 && message ~ /^[A-Za-z0-9_-]+$/) print message
}')

# messages/<agent>-<session> beside <file> is what the agent takes as context of the prompt. Of two programs, the one that
# has renamed it prints it. It waits on if it could not be printed, and is not for a session that goes on after a day.
waiting=${file%/*}/messages/$message
if [ -n "$message" ] && [ -f "$waiting" ] && [ -n "$(find "$waiting" -mmin -1440)" ]; then
  claimed=$waiting.$$
  if mv "$waiting" "$claimed"; then
    limited cat "$claimed" >&3 || ln "$claimed" "$waiting"
    rm -f "$claimed"
  fi
fi
exit 0
