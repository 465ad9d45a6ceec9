import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const codeTexts = catalogue(en, () => import('./fr.ts'))
