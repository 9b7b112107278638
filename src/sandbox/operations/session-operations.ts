/** The operations on sessions, keys, commission rates and heartbeats. */

import type { SESSION_ENDPOINTS } from '../../wire/endpoints.ts';
import { armHeartbeat, deleteHeartbeat, getCommissionRates, getHeartbeat } from './app-settings.ts';
import { createAppApiKey, deactivateAppApiKey } from './keys.ts';
import type { Operations } from './operation.ts';
import { createSession, refreshSession } from './sessions.ts';

export const SESSION_OPERATIONS: Operations<keyof typeof SESSION_ENDPOINTS> = {
  createSession,
  refreshSession,
  createAppApiKey,
  deactivateAppApiKey,
  getCommissionRates,
  getHeartbeat,
  armHeartbeat,
  deleteHeartbeat,
};
