import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const developerTexts = catalogue(en, () => import('./fr.ts'))
