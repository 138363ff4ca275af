#compdef vmhost
# Completions of vmhost for zsh. "vmhost complete" says what may stand at the cursor; files are the
# shell's own.

_vmhost() {
  local program=${(Q)words[1]} line kind text result=1
  local -a fields values parts
  program=${program/#\~\//$HOME/}
  whence -p -- $program >/dev/null || program=vmhost
  local before="${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX"
  local after="$SUFFIX$ISUFFIX$QISUFFIX ${(j: :)words[CURRENT+1,-1]}"
  for line in "${(@f)$("$program" complete -- "$before" "$after" 2>/dev/null)}"; do
    fields=("${(@ps:\t:)line}")
    kind=$fields[1] text=$fields[2]
    case $kind in
      skip) compset -p $text ;;
      value) values+=("${text//:/\\:}${fields[3]:+:$fields[3]}") ;;
      part) parts+=("${text//:/\\:}${fields[3]:+:$fields[3]}") ;;
      variables) _parameters -g '*export*' && result=0 ;;
      files) _files -g "$text" && result=0 ;;
      folders) _files -/ && result=0 ;;
    esac
  done
  (($#values)) && _describe value values && result=0
  (($#parts)) && _describe value parts -S '' && result=0
  return result
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _vmhost "$@"
else
  compdef _vmhost vmhost
fi
