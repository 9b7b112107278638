/**
 * Begun by vitest before each file of tests, also where files of a worker share their modules: a hook at the top of a module that
 * they share would be registered for the first of them alone.
 */

import { afterAll } from 'vitest';
import { removeTemporaryDirectories } from './temporary-directory.ts';

afterAll(removeTemporaryDirectories);
