# Completion of the command noughts for fish, made by `noughts completion`.
function __noughts_completion
    set -l line (commandline -opc)
    # Fish wants the whole word, so --option= goes before each of its values.
    set -l option (string match -r -- '^--[^=]+=' (commandline -ct))
    set -l program (string replace -r '^~' $HOME -- $line[1])
    for answer in (env _NOUGHTS_COMPLETE=fish_complete COMP_WORDS=(commandline -cp | string collect) COMP_CWORD=(commandline -ct) \
        $program 2>/dev/null)
        set -l parts (string split -m 1 , -- $answer)
        switch $parts[1]
            case dir
                __fish_complete_directories $parts[2]
            case file
                __fish_complete_path $parts[2]
            case plain
                printf '%s\n' $parts[2]
        end
    end | string replace -r '^' -- "$option"
end

complete --no-files --command noughts --arguments '(__noughts_completion)'
