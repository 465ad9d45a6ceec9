import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const setUpTexts = catalogue(en, () => import('./fr.ts'))
