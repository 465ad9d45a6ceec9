import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const contactTexts = catalogue(en, () => import('./fr.ts'))
