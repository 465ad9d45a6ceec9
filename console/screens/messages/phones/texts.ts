import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const phonesTexts = catalogue(en, () => import('./fr.ts'))
