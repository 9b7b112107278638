/** The strategy of the replay benches as a file of its own, which a bench loads the way the command loads a user's. */

export { layFavourite as default } from './replay-strategies.ts';
