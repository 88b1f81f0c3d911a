/** What the phase document asks for. */
export const DOCUMENT = `Bring the documentation in line with this work: everything between {{base}} and {{commit}}. Change what speaks of it already (README, guides, comments that users see, a changelog if there is one); add a page only where nothing fits. Say what it does for its users, with an example that works. Change no behaviour.`
