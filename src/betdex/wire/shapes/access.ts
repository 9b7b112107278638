/** Sessions, and the keys that open them. */

import { document, flag, id, moment, text } from '../../../codec/notation.ts';

export const Session = document('Session', {
  accessToken: text,
  refreshToken: text,
  accessExpiresAt: moment,
  refreshExpiresAt: moment,
});

const apiKey = { appId: id, name: text, active: flag, secret: text, createdAt: moment, modifiedAt: moment };

export const AppApiKey = document('AppApiKey', apiKey);
export const WalletApiKey = document('WalletApiKey', { ...apiKey, walletId: id });
