/** The block `alerts` of a run's configuration: where alerts are sent, how often, and who is told that the run works. */

import { type Static, Type } from '@sinclair/typebox';
import { choice, closed, Whole } from '../../../backtest/options/fields.ts';

/** The value is never printed, not even in an error about it. */
const SecretText = (title: string, description: string) =>
  Type.String({ minLength: 1, title, description, secret: true });

const From = (value: 'warn' | 'error') =>
  Type.Optional(
    choice(value === 'warn' ? ['warn', 'error'] : ['error', 'warn'], 'The least grave alert that is sent.'),
  );

/** Read by `resolve-alerts.ts`. */
const Duration = (description: string, value: string) =>
  Type.String({ pattern: '^\\d+(s|m|h)$', title: `a time such as ${value}`, description, default: value });

const address = (example: string) => `a text such as ${example}`;

const WebhookBlock = Type.Object(
  {
    url: SecretText(address(`\${ALERT_WEBHOOK_URL}`), 'Where alerts are posted as JSON.'),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$" }),
        SecretText(`a text such as Bearer \${ALERT_TOKEN}`, 'The value of the header.'),
        { ...closed, title: 'a map of header names to texts', description: 'Headers of each request.', secret: true },
      ),
    ),
    from: From('warn'),
  },
  { ...closed, title: 'a map with url, headers and from', description: 'An address of your own.', secret: true },
);

const TelegramBlock = Type.Object(
  {
    token: SecretText(`a text such as \${TELEGRAM_TOKEN}`, "The bot's token, which BotFather gave."),
    chat: Type.Union([Type.Integer(), SecretText(`a text such as \${TELEGRAM_CHAT}`, 'The id of the chat.')], {
      title: 'the id of a chat, or @channel',
      description: 'Where the bot writes: the id of a chat, or @channel.',
      secret: true,
    }),
    url: Type.Optional(SecretText(address('https://api.telegram.org'), 'A Bot API server of your own.')),
    from: From('warn'),
  },
  { ...closed, title: 'a map with token, chat, url and from', description: 'A chat of Telegram.', secret: true },
);

const NtfyBlock = Type.Object(
  {
    topic: SecretText(`a text such as \${NTFY_TOPIC}`, 'Who knows the topic can read it: choose one nobody guesses.'),
    url: Type.Optional(SecretText(address('https://ntfy.sh'), 'The server.')),
    token: Type.Optional(SecretText(`a text such as \${NTFY_TOKEN}`, 'Access token, where the server asks for one.')),
    from: From('warn'),
  },
  { ...closed, title: 'a map with topic, url, token and from', description: 'A topic of ntfy.', secret: true },
);

export const DEAD_MAN_EVERY = '60s';
export const ALERTS_PER_MINUTE = 10;
export const REPEAT_AFTER = '15m';

const DeadManBlock = Type.Object(
  {
    url: SecretText(address(`\${DEAD_MAN_URL}`), 'The address that is called.'),
    every: Type.Optional(Duration('Between two calls: from 1s to 24h.', DEAD_MAN_EVERY)),
    method: Type.Optional(choice(['GET', 'POST'], 'How it is called.')),
  },
  {
    ...closed,
    title: 'a map with url, every and method',
    description:
      'A service that raises an alarm when it is not called any more: it is called only while the pipeline processes what it reads.',
    secret: true,
  },
);

const Alerts = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 60,
        title: 'a name of at most 60 characters',
        description: 'What messages call this bot; dir where it is left out.',
      }),
    ),
    webhook: Type.Optional(WebhookBlock),
    telegram: Type.Optional(TelegramBlock),
    ntfy: Type.Optional(NtfyBlock),
    perMinute: Type.Optional(
      Whole('Messages a minute by each way. What comes beyond that waits, and is sent together.', {
        min: 1,
        max: 60,
        value: ALERTS_PER_MINUTE,
      }),
    ),
    repeatAfter: Type.Optional(
      Duration(
        'So long an alert that was sent is only counted when it comes again; then it is sent with its count: from 1s to 24h.',
        REPEAT_AFTER,
      ),
    ),
    deadMan: Type.Optional(DeadManBlock),
  },
  closed,
);

export const AlertsBlock = Type.Union([Alerts, Type.Literal('none')], {
  title: 'a map with webhook, telegram, ntfy and deadMan, or none',
  description: 'Where the alerts of the run are sent. See docs/monitoring.md.',
  default: 'none',
  secret: true,
});

export type AlertsConfig = Exclude<Static<typeof AlertsBlock>, 'none'>;
