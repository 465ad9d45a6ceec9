import { testScreens } from '../../support/browser/screens.ts'

await testScreens('sending')
