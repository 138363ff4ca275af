" Vim syntax file
" Language: transcripts of vmhost, format 1
" Of matches that begin at one place, Vim takes the one that is defined last.
if exists('b:current_syntax')
  finish
endif
syntax case match

" A line that no other match is for.
syntax match vmtIllegal /^.*\S.*$/
syntax match vmtComment /^#.*$/ contains=@Spell

" Values: JSON, to the end of the line and in lines that begin with two blanks.
syntax match vmtBadValue /[^][{},: \t"]\+\|"/ contained
syntax match vmtNumber /-\?\<\(0\|[1-9]\d*\)\(\.\d\+\)\?\([eE][-+]\?\d\+\)\?\>/ contained
syntax match vmtConstant /\<\(true\|false\|null\)\>/ contained
syntax match vmtString /"\([^"\\]\|\\.\)*"/ contained contains=vmtEscape
syntax match vmtName /"\([^"\\]\|\\.\)*"\ze\s*:/ contained contains=vmtEscape
syntax match vmtEscape /\\\(["\\\/bfnrt]\|u\x\{4}\)/ contained
syntax cluster vmtJSON contains=vmtBadValue,vmtNumber,vmtConstant,vmtString,vmtName
syntax match vmtValue / \+\S.*$/ contained contains=@vmtJSON
syntax match vmtContinuation /^  .*$/ contains=@vmtJSON
syntax match vmtJSONLine /^{.*$/ contains=@vmtJSON

" Steps and expectations. A line that doesn't look like its kind is no match.
syntax match vmtInput /^>\ze \+\S/ nextgroup=vmtHandle,vmtPort skipwhite
syntax match vmtOutput /^<\ze \+\(@\d\+\(\.\d\+\)\?\([num]\?s\|[mh]\) \+\)\?[^ @]/
      \ nextgroup=vmtOutputOffset,vmtHandle,vmtPort skipwhite
syntax match vmtRequest /^?\ze \+\(@\d\+\(\.\d\+\)\?\([num]\?s\|[mh]\) \+\)\?\([^ .]\+\.\)\?\d\+ \+\S/
      \ nextgroup=vmtOffset,vmtOwner,vmtAsked skipwhite
syntax match vmtCancel /^x\ze \+\(@\d\+\(\.\d\+\)\?\([num]\?s\|[mh]\) \+\)\?\([^ .]\+\.\)\?\d\+ *$/
      \ nextgroup=vmtOffset,vmtOwner,vmtAsked skipwhite
syntax match vmtAnswer /^!\ze \+\([^ .]\+\.\)\?\d\+\( \|$\)/
      \ nextgroup=vmtAnsweredOwner,vmtAnswered skipwhite
syntax match vmtAdvance /^+\ze \+\(\d\+\(\.\d\+\)\?\([num]\?s\|[mh]\)\|idle\) *$/
      \ nextgroup=vmtDuration,vmtIdle skipwhite

syntax match vmtPort /[^ ]\+/ contained nextgroup=vmtValue
syntax match vmtHandle /[^ .]\+\ze\./ contained nextgroup=vmtDot
syntax match vmtDot /\./ contained nextgroup=vmtPort
syntax match vmtOutputOffset /@[^ ]\+/ contained nextgroup=vmtHandle,vmtPort skipwhite
syntax match vmtOffset /@[^ ]\+/ contained nextgroup=vmtOwner,vmtAsked skipwhite
syntax match vmtAsked /\d\+/ contained nextgroup=vmtEffect skipwhite
syntax match vmtOwner /[^ .@][^ .]*\ze\./ contained nextgroup=vmtOwnerDot
syntax match vmtOwnerDot /\./ contained nextgroup=vmtAsked
syntax match vmtEffect /[^ ]\+/ contained nextgroup=vmtValue
syntax match vmtAnswered /\d\+/ contained nextgroup=vmtValue,vmtErrorBlanks
syntax match vmtAnsweredOwner /[^ .]\+\ze\./ contained nextgroup=vmtAnsweredDot
syntax match vmtAnsweredDot /\./ contained nextgroup=vmtAnswered
syntax match vmtErrorBlanks / \+\zeerror\( \|$\)/ contained nextgroup=vmtError
syntax match vmtError /error/ contained nextgroup=vmtValue
syntax match vmtDuration /\d[^ ]*/ contained
syntax match vmtIdle /idle/ contained

" The format, and directives.
syntax match vmtVersion /\%1l^vmt\ze \+\d\+ *$/ nextgroup=vmtInteger skipwhite
syntax match vmtDirective /^@end\ze *$/
syntax match vmtDirective /^@\(plugin\|close\|flow\|time\|locale\|timezone\|skip\|tags\)\ze \+\S/
      \ nextgroup=vmtArgument skipwhite
syntax match vmtDirective /^@seed\ze \+\d\+ *$/ nextgroup=vmtInteger skipwhite
syntax match vmtDirective
      \ /^@\(record\|simulate\)\ze \+\(timer\|storage\.\(get\|set\|delete\|list\)\) *$/
      \ nextgroup=vmtEffect skipwhite
syntax match vmtDirective /^@recorded\ze \+\S/ nextgroup=vmtValue
syntax match vmtDirective /^@storage\ze \+\S/ nextgroup=vmtKey,vmtQuotedKey skipwhite
syntax match vmtDirective /^@open\ze \+\S/ nextgroup=vmtViewModel skipwhite
syntax match vmtArgument /[^ ].*$/ contained
syntax match vmtInteger /\d\+/ contained
syntax match vmtKey /[^ "][^ ]*/ contained nextgroup=vmtValue
syntax match vmtQuotedKey /"\([^"\\]\|\\.\)*"/ contained contains=vmtEscape nextgroup=vmtValue
syntax match vmtViewModel /[^ ]\+/ contained nextgroup=vmtValue,vmtAsBlanks
syntax match vmtAsBlanks / \+\zeas / contained nextgroup=vmtAs
syntax match vmtAs /as/ contained nextgroup=vmtNewHandle skipwhite
syntax match vmtNewHandle /[^ ]\+/ contained nextgroup=vmtValue

highlight default link vmtIllegal Error
highlight default link vmtBadValue Error
highlight default link vmtComment Comment
highlight default link vmtNumber Number
highlight default link vmtInteger Number
highlight default link vmtConstant Boolean
highlight default link vmtString String
highlight default link vmtQuotedKey String
highlight default link vmtName Label
highlight default link vmtEscape SpecialChar
highlight default link vmtInput Statement
highlight default link vmtOutput Operator
highlight default link vmtRequest Operator
highlight default link vmtCancel Operator
highlight default link vmtAnswer Statement
highlight default link vmtAdvance Statement
highlight default link vmtPort Function
highlight default link vmtHandle Identifier
highlight default link vmtOwner Identifier
highlight default link vmtAnsweredOwner Identifier
highlight default link vmtNewHandle Identifier
highlight default link vmtOffset Number
highlight default link vmtOutputOffset Number
highlight default link vmtAsked Number
highlight default link vmtAnswered Number
highlight default link vmtEffect Type
highlight default link vmtError Exception
highlight default link vmtDuration Number
highlight default link vmtIdle Constant
highlight default link vmtVersion PreProc
highlight default link vmtDirective PreProc
highlight default link vmtArgument Constant
highlight default link vmtKey Constant
highlight default link vmtViewModel Type
highlight default link vmtAs Keyword

" A value may go on over any number of lines, each of which is highlighted by itself.
syntax sync minlines=1

let b:current_syntax = 'vmt'
