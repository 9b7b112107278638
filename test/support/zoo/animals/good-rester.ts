/** A strategy without fault that leaves one order in each market. */

import { defineStrategy } from 'oddsmith';
import { calmly } from './mischief.ts';

export default defineStrategy({ name: 'good-rester', decide: calmly });
