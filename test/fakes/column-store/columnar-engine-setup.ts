// Installs what the tests of the column store run on: part of `npm run test:setup`.
import { installEngine } from './columnar-engine-install.ts'

console.log(`the column store of the tests: ${await installEngine()}`)
