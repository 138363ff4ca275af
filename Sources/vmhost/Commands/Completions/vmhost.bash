# Completions of vmhost for bash (4.4 or later). "vmhost complete" says what may stand at the
# cursor; files are the shell's own.

_vmhost() {
  local program=${1//\\/} kind text word= prefix= strip=0 match going= quoting=
  local -a matches=()
  COMPREPLY=()
  program=${program/#\~\//$HOME/}
  type -P -- "$program" >/dev/null || program=vmhost
  while IFS=$'\t' read -r kind text _; do
    case $kind in
      word) word=$text ;;
      prefix) prefix=$text ;;
      strip) strip=$text ;;
      value | part)
        [[ $text == "$word"* ]] || continue
        matches+=("$text")
        [[ $kind == part ]] && going=yes
        ;;
      variables) mapfile -t -O ${#matches[@]} matches < <(compgen -e -- "$word") ;;
      files | folders)
        # Readline quotes a whole match. What stands before the file, as in @FILE, must not be.
        if [[ $prefix ]]; then quoting=yes; else compopt -o filenames; fi
        # Where this is Readline's own word, it knows what is quoted in it.
        [[ $prefix ]] || ((strip)) || word=$2
        [[ $kind == folders ]] ||
          mapfile -t -O ${#matches[@]} matches < <(compgen -f -X "!$text" -- "$word")
        mapfile -t -O ${#matches[@]} matches < <(compgen -d -- "$word")
        ;;
    esac
  done < <("$program" complete -- "${COMP_LINE:0:COMP_POINT}" "${COMP_LINE:COMP_POINT}" \
    "$COMP_WORDBREAKS" 2>/dev/null)
  for match in "${matches[@]}"; do
    if [[ $quoting ]]; then
      [[ -d $match ]] && match+=/ going=yes
      printf -v match %q "$match"
    fi
    COMPREPLY+=("$prefix${match:strip}")
  done
  [[ -z $going || ${#COMPREPLY[@]} -gt 1 ]] || compopt -o nospace
} 2>/dev/null

complete -F _vmhost vmhost
