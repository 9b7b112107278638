/** The operations on sessions, keys, commission rates and heartbeats. */

import type { SESSION_ENDPOINTS } from '../../betdex/wire/endpoints.ts';
import { armHeartbeat, deleteHeartbeat, getCommissionRates, getHeartbeat } from './accounts/app-settings.ts';
import { createAppApiKey, deactivateAppApiKey } from './accounts/keys.ts';
import { createSession, refreshSession } from './accounts/sessions.ts';
import type { Operations } from './shared/operation.ts';

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
