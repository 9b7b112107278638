/**
 * Sends what a Node bot sends to Betfair to a sandbox on this machine. `oddsmith sandbox --betfair --exec` has Node import this file before
 * the bot. ODDSMITH_BETFAIR_API and ODDSMITH_BETFAIR_STREAM are host:port.
 */

import { Socket } from 'node:net';

const BETFAIR = /(^|\.)betfair\.(com|es|it|ro|se|com\.au)$/i;

function address(name) {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(process.env[name] ?? '') ?? [];
  return { host, port: Number(port) };
}

const API = address('ODDSMITH_BETFAIR_API');
const STREAM = address('ODDSMITH_BETFAIR_STREAM');

/** The options of a connection, to the sandbox where they name one of Betfair's hosts. The name that TLS verifies stays. */
function redirected(options) {
  const host = options?.host;
  if (typeof host !== 'string' || !BETFAIR.test(host)) return options;
  return { ...options, ...(/^stream-api/i.test(host) ? STREAM : API), lookup: undefined };
}

const connect = Socket.prototype.connect;
Socket.prototype.connect = function connectElsewhere(...args) {
  const [first, second] = args;
  // Node hands on its own arguments as one list that it has marked; the mark must stay.
  if (Array.isArray(first)) first[0] = redirected(first[0]);
  else if (typeof first === 'object' && first !== null) args[0] = redirected(first);
  else if (typeof second === 'string') args.splice(0, 2, redirected({ port: Number(first), host: second }));
  return connect.apply(this, args);
};
