/** The words of a shell for a terminal, in any container. */
export const shellWords = ['env', 'TERM=xterm-256color', 'sh'] as const;
