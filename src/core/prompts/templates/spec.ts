/** What the phase spec asks for. */
export const SPEC = `Write down what exactly is to be built, before it is built. Read the code that it touches, and change no files.

Answer with the specification: what changes for whoever uses it; the files and functions to change or add, with their shapes; cases at the edges and what happens in each; the tests that will prove it. Where the brief leaves something open, decide it and say why. No more than is needed to build it.`
