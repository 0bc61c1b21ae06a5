import { parseArgs } from 'node:util'

import { SettingsError } from '../sealing/master-keys.ts'

export const say = (line: string) => process.stdout.write(`${line}\n`)
export const complain = (line: string) => process.stderr.write(`${line}\n`)

/**
 * Runs a command that takes `--help` and an option with a value for each of `names`, and sets its result as the
 * process's exit code. `failed` returns the message for an error unrelated to the settings.
 */
export async function runCommand<Name extends string = never>(
  help: string,
  work: (given: Readonly<Partial<Record<Name, string>>>) => Promise<number>,
  failed: (message: string, error: unknown) => string,
  names: readonly Name[] = [],
): Promise<void> {
  process.exitCode = 1
  let given
  try {
    given = readArguments(names)
  } catch (error) {
    return void complain(`${messageOf(error)}\n\n${help}`)
  }
  try {
    if (given.help) say(help)
    process.exitCode = given.help ? 0 : await work(given as Partial<Record<Name, string>>)
  } catch (error) {
    complain(
      error instanceof SettingsError
        ? `The settings are not usable:\n${error.message}`
        : failed(messageOf(error), error),
    )
  }
}

function readArguments(names: readonly string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  // npm removes the "--"; a shell that runs this file directly does not.
  const args = process.argv.slice(2).filter((each) => each !== '--')
  return parseArgs({ args, options: { ...options, help: { type: 'boolean' } } }).values
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown error')
