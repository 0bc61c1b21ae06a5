import { SettingsError } from './sealing/master-keys.ts'

export const say = (line: string) => process.stdout.write(`${line}\n`)
export const complain = (line: string) => process.stderr.write(`${line}\n`)

/**
 * Runs a command that takes no argument but `--help`, and leaves what it ends with as the process's exit code.
 * `failed`: what to say of an error that is not about the settings.
 */
export async function runCommand(
  help: string,
  work: () => Promise<number>,
  failed: (message: string, error: unknown) => string,
): Promise<void> {
  // npm takes the "--" away, a shell that calls this file does not.
  const argument = process.argv.slice(2).find((each) => each !== '--')
  if (argument !== undefined) {
    if (argument === '--help') say(help)
    else complain(`There is nothing to say to it: "${argument}".\n\n${help}`)
    process.exitCode = argument === '--help' ? 0 : 1
    return
  }
  try {
    process.exitCode = await work()
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error'
    complain(
      error instanceof SettingsError ? `The settings are not usable:\n${message}` : failed(message, error),
    )
    process.exitCode = 1
  }
}
