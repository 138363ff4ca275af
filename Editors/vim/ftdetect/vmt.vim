autocmd BufNewFile,BufRead *.vmt setfiletype vmt
