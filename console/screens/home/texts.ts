import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const homeTexts = catalogue(en, () => import('./fr.ts'))
