" Transcripts of vmhost.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

" Values go on in lines that begin with two blanks; a tab begins no line.
setlocal comments=:# commentstring=#\ %s formatoptions-=t
setlocal expandtab shiftwidth=2 softtabstop=2
let b:undo_ftplugin = 'setlocal comments< commentstring< formatoptions<'
      \ . ' expandtab< shiftwidth< softtabstop<'
