/** What each status of a login means for us: how long to wait, and what a person can do (profile section 1). */

/** `passing`: the connection to Betfair failed. `banned`: nobody can log in for some time. `final`: it stays so until a person acts. */
export type LoginProof = 'passing' | 'banned' | 'final';

export function loginProof(status: string): LoginProof {
  if (status.startsWith('INVALID_CONNECTIVITY')) return 'passing';
  return status.startsWith('TEMPORARY_BAN') ? 'banned' : 'final';
}

/** The first that fits counts. A status that is newer than this client is for the site to explain. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^TEMPORARY_BAN/,
    'Betfair lets nobody log in for 20 minutes after too many logins: wait, and look which other program logs in.',
  ],
  [
    /^INVALID_USERNAME_OR_PASSWORD$/,
    'Check exchange.betfair.username and exchange.betfair.password. A wrong one that is tried again and again locks the account.',
  ],
  [
    /^(NO|INVALID)_APP_KEY$|APP_KEY/,
    'Check exchange.betfair.appKey: it must be a key of this account, and an active one.',
  ],
  [
    /CERT/,
    'Name the files of a certificate under exchange.betfair.certificate and exchange.betfair.key, and upload that certificate at the account’s security settings on the site.',
  ],
  [
    /STRONG_AUTH|SECURITY_QUESTION|2FA|SECOND/,
    'The account asks for a second step, which a program cannot do: log in with a certificate.',
  ],
  [
    /ACCEPTANCE_REQUIRED|MIGRATION|AGREEMENT|ACTIONS_REQUIRED|CHANGE_PASSWORD|KYC|IDENTITY|PERSONAL_MESSAGE/,
    'Log in on the site once: it asks for something that must be confirmed or filled in.',
  ],
  [
    /^ACCOUNT_|SUSPENDED|CLOSED|LOCKED/,
    'The account is locked, suspended or closed: log in on the site, or ask Betfair.',
  ],
  [/SELF_EXCLUDED|EXCLUDED/, 'The account is excluded from betting, and nothing here can change that.'],
  [
    /LOCATION|COUNTRY|REGULATOR|AUTHORIZED_ONLY_FOR/,
    'Betfair does not serve this account from here: see in which country this machine’s address is.',
  ],
];

/** What a person can do about it. */
export function loginAdvice(status: string): string {
  const [, advice] = ADVICE.find(([fits]) => fits.test(status)) ?? [];
  return advice ?? 'Check exchange.betfair, or log in on the site once, which says what it asks for.';
}
