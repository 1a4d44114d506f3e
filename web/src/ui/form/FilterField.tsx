import { classNames } from '../class-names.ts';
import { Icon } from '../picture/Icon.tsx';
import searchFieldStyles from './search-field.module.css';

export interface FilterFieldProps {
  /** The things in the list: "servers". */
  of: string;
  /** The searched values: "name or IP". */
  by: string;
  words: string;
  /** Characters; as many as there is anything to find. */
  most?: number;
  onChange: (words: string) => void;
}

/** Filters the list below by words. */
export function FilterField({ of, by, words, most, onChange }: FilterFieldProps) {
  return (
    <div className={classNames(searchFieldStyles.search, searchFieldStyles.filter)}>
      <Icon name="search" size={16} />
      <input
        type="search"
        placeholder={`Filter by ${by}`}
        aria-label={`Filter ${of} by ${by}`}
        autoComplete="off"
        maxLength={most}
        value={words}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
