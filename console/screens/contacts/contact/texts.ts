import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const contactPageTexts = catalogue(en, () => import('./fr.ts'))
