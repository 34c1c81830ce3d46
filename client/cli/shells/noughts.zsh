#compdef noughts
# Completion of the command noughts for zsh, made by `noughts completion`.
_noughts() {
    local -a lines plain described
    local kind value help
    lines=("${(@f)$(env _NOUGHTS_COMPLETE=zsh_complete COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) \
        ${~words[1]} 2>/dev/null)}")
    # After --option= its value alone is completed; -U forgets what stands before it, unless -i names that.
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    for kind value help in ${lines}; do
        case $kind in
            dir) _path_files -/ ;;
            file) _path_files -f ;;
            plain) if [[ $help == _ ]]; then plain+=("$value"); else described+=("$value:$help"); fi ;;
        esac
    done
    (( $#described )) && _describe -V unsorted described -U -i "$IPREFIX"
    (( $#plain )) && compadd -U -i "$IPREFIX" -V unsorted -a plain
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _noughts "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _noughts noughts
fi
