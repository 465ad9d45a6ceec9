import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const mailTexts = catalogue(en, () => import('./fr.ts'))
