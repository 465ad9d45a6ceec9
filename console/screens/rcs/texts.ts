import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const rcsTexts = catalogue(en, () => import('./fr.ts'))
