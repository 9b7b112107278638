/** A reader who types the commands of one document, block by block, and saves the files that it shows. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { SandboxFacts } from '../vendor/sandbox-process.ts';
import { type Block, commandsOf } from './blocks.ts';
import { IN_THE_PLACE_OF, SERVERS } from './coverage.ts';
import { oddsmithArguments, shellCommands } from './option-parser.ts';
import { type Server, Shell } from './shell.ts';
import { missingLines, withoutFigures, withoutMachine } from './shown.ts';
import { keysOf, type Stage, withPort } from './stage.ts';

/** For how long a recording goes on before the next command is typed. */
const RECORDED_MS = 2_000;
/** What these print is the same each time but for the machine. */
const ALIKE = ['init', 'demo', 'tape', 'backtest', 'sweep', 'report', 'explain', 'completion'];

export interface SessionTerms {
  readonly stage: Stage;
  /** Whose variables are set in each terminal, and written into `.env` where none were printed before. */
  readonly facts: SandboxFacts;
  readonly port: number;
  /** What is typed and saved in the place of what the document says. */
  readonly rewrite?: (text: string) => string;
}

export class DocumentSession {
  readonly #terms: SessionTerms;
  readonly #shells = new Map<string, Shell>();
  readonly #servers: { readonly shell: Shell; readonly server: Server }[] = [];
  #terminal = 'first';
  #printed = '';
  #words: readonly string[] = [];

  constructor(terms: SessionTerms) {
    this.#terms = terms;
  }

  /** Types the lines of a block. @throws Error where one of them fails */
  async type(block: Block): Promise<void> {
    this.#terminal = terminalOf(block) ?? this.#terminal;
    if (block.before.includes('Ctrl-C')) await this.#interrupt();
    const shell = await this.#shell();
    this.#printed = '';
    const commands = commandsOf(block);
    this.#words = commands.flatMap(({ text }) =>
      shellCommands(text).flatMap((words) => oddsmithArguments(words)?.[0] ?? []),
    );
    for (const [at, { text, line }] of commands.entries())
      await this.#typeLine(text, { shell, where: `${block.document}:${line}`, isLast: at === commands.length - 1 });
  }

  /** What of a block of output was not printed by the block of commands before it. */
  missing(block: Block): readonly string[] {
    const alike = this.#words.every((word) => ALIKE.includes(word)) ? withoutMachine : withoutFigures;
    const missing = missingLines(block.text, this.#printed, alike);
    return missing.length === 0 ? [] : [...missing, '— printed was —', this.#printed];
  }

  /** Saves a file under a name below the directory in which the terminal is. */
  async save(name: string, text: string): Promise<void> {
    const path = join(await this.#here(), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.#rewritten(text));
  }

  /** Changes lines of a file: those of a block of `diff` that begin with `-` become those with `+`. @throws Error where it has none of them */
  async change(block: Block): Promise<void> {
    const [, name = ''] = /^--- (\S+)$/m.exec(block.text) ?? [];
    const path = join(await this.#here(), name);
    const side = (other: string) =>
      block.text
        .split('\n')
        .filter((line) => !/^(---|\+\+\+|@@)/.test(line) && !line.startsWith(other))
        .map((line) => line.slice(1))
        .join('\n');
    const held = readFileSync(path, 'utf8');
    if (!held.includes(side('+')))
      throw new Error(`${block.document}:${block.line}: ${name} does not hold these lines`);
    writeFileSync(
      path,
      held.replace(side('+'), () => this.#rewritten(side('-'))),
    );
  }

  /** Ends what still goes on, the last first; those that did not end well, and what Node warned of in any command. */
  async end(): Promise<readonly string[]> {
    const bad: string[] = [];
    for (const { shell, server } of this.#servers.splice(0).reverse()) {
      const code = await shell.end(server);
      // 127: it was waited for before.
      if (![0, 127].includes(code)) bad.push(`${server.line} ended with ${code}: ${server.said()}`);
    }
    for (const shell of this.#shells.values()) shell.close();
    const { warnings } = this.#terms.stage;
    if (existsSync(warnings)) bad.push(readFileSync(warnings, 'utf8'));
    return bad;
  }

  /** Ends a recording as the page says. @throws Error where it does not end as it should */
  async #interrupt(): Promise<void> {
    const at = this.#servers.findIndex(({ server }) => / record /.test(server.line));
    const [held] = at < 0 ? [] : this.#servers.splice(at, 1);
    if (held === undefined) return;
    await pass(RECORDED_MS);
    const code = await held.shell.end(held.server, 'INT');
    if (code !== 130) throw new Error(`${held.server.line} ended with ${code}: ${held.server.said()}`);
  }

  async #shell(): Promise<Shell> {
    const known = this.#shells.get(this.#terminal);
    if (known !== undefined) return known;
    const { stage } = this.#terms;
    // A second terminal is opened where the first one is.
    const [first] = this.#shells.values();
    const cwd = first === undefined ? stage.repository : (await first.type('pwd')).out.trim();
    const shell = new Shell({ cwd, env: stage.env, logs: stage.logs });
    // A name of zsh's.
    await shell.type('fpath=(. "$HOME/zsh")');
    this.#shells.set(this.#terminal, shell);
    return shell;
  }

  async #here(): Promise<string> {
    return (await (await this.#shell()).type('pwd')).out.trim();
  }

  async #typeLine(text: string, about: { readonly shell: Shell; readonly where: string; readonly isLast: boolean }) {
    const { shell, where, isLast } = about;
    const line = this.#rewritten(text);
    const args = shellCommands(line).flatMap((words) => oddsmithArguments(words) ?? []);
    const kind = args.includes('--help')
      ? undefined
      : SERVERS.find(({ words }) => words.every((word, at) => args[at] === word) && args[words.length] !== 'link');
    if (kind === undefined) {
      const { code, out } = await shell.type(line);
      this.#printed += out;
      if (code !== 0) throw new Error(`${where}: ended with ${code}: ${line}\n${out}`);
    } else {
      const server = await shell.serve(line.replace(/\s+#.*$/, ''), kind.ready);
      if (args[0] === 'record' && !isLast) {
        await pass(RECORDED_MS);
        await shell.end(server);
      } else this.#servers.push({ shell, server });
      this.#printed += server.said();
    }
    await this.#afterwards(line, args);
  }

  /** What a reader does then with an editor. */
  async #afterwards(line: string, args: readonly string[]): Promise<void> {
    const here = await this.#here();
    if (args[0] === 'init') {
      const from = line.startsWith('npm') ? this.#terms.stage.repository : here;
      withPort(join(from, args[1] ?? '', 'config'), this.#terms.port);
    }
    if (!line.includes('cp .env.example .env')) return;
    // The configurations name the sandbox that the document starts, or the one of all documents.
    const { facts, port } = this.#terms;
    const isOwn = this.#servers.some(({ server }) => server.said().includes(`http://127.0.0.1:${port}\n`));
    const keys = { ...keysOf(facts), ...(isOwn ? this.#printedKeys() : {}) };
    const filled = readFileSync(join(here, '.env'), 'utf8').replaceAll(
      /^(\w+)=$/gm,
      (_, name: string) => `${name}=${keys[name as keyof typeof keys] ?? ''}`,
    );
    writeFileSync(join(here, '.env'), filled);
  }

  /** Those that a sandbox of this document printed. */
  #printedKeys(): Readonly<Record<string, string>> {
    const said = this.#servers.map(({ server }) => server.said()).join('\n');
    const found = (label: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(said)?.[1];
    const keys = {
      ODDSMITH_APP_ID: found('app id'),
      ODDSMITH_API_KEY: found('API key'),
      ODDSMITH_WALLET_ID: found('wallet id'),
    };
    return Object.fromEntries(
      Object.entries(keys).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  #rewritten(text: string): string {
    const { rewrite } = this.#terms;
    if (rewrite !== undefined) return rewrite(text);
    return IN_THE_PLACE_OF.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  }
}

/** The terminal that the text before a block names last. */
function terminalOf({ before }: Block): string | undefined {
  return [...before.matchAll(/\b(first|second|third) terminal\b/gi)].at(-1)?.[1]?.toLowerCase();
}
