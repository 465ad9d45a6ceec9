import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Loaded before a program, and before each of its threads: notes which modules they load, a line each, in the file that
// STENTOR_TEST_MODULES names.
const file = process.env['STENTOR_TEST_MODULES']
if (file)
  registerHooks({
    load(url, context, next) {
      appendFileSync(file, `${url}\n`)
      return next(url, context)
    },
  })
