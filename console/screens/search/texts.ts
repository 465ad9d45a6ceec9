import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const searchTexts = catalogue(en, () => import('./fr.ts'))
