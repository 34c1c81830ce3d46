# Completion of the command noughts for bash, made by `noughts completion`.
# Bash breaks words at colons, which stand in the names of games and bots, so noughts gets the line as it was typed.
_noughts_completion() {
    local kind value
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(
        env _NOUGHTS_COMPLETE=bash_complete _NOUGHTS_LINE="${COMP_LINE:0:COMP_POINT}" \
            _NOUGHTS_BREAKS="$COMP_WORDBREAKS" "${1/#\~/$HOME}" 2>/dev/null
    )
}
complete -o nosort -F _noughts_completion noughts
