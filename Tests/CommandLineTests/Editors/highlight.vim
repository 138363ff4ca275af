" Writes how Vim highlights the files on its command line into $SPANS: for each line of a file, the
" group and the text of each part, and an empty line behind it.
set nocompatible encoding=utf-8 nomore noswapfile
let &runtimepath = $EDITORS . ',' . &runtimepath
filetype plugin on
syntax on
let s:lines = []
for s:file in argv()
  execute 'edit' fnameescape(s:file)
  call add(s:lines, 'file ' . &filetype . ' ' . &commentstring)
  for s:number in range(1, line('$'))
    let s:text = getline(s:number)
    let [s:from, s:group] = [0, '']
    for s:column in range(1, len(s:text) + 1)
      let s:next = s:column > len(s:text) ? '' : synIDattr(synID(s:number, s:column, 1), 'name')
      if s:next !=# s:group || s:column > len(s:text)
        if s:group !=# ''
          call add(s:lines, s:group . "\t" . strpart(s:text, s:from, s:column - 1 - s:from))
        endif
        let [s:from, s:group] = [s:column - 1, s:next]
      endif
    endfor
    call add(s:lines, '')
  endfor
endfor
call writefile(s:lines, $SPANS)
qall!
