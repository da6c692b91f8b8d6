/** A choice of one of a few, as a row of buttons. */
export function Segments<T extends string>({
  label,
  onChoose,
  options,
  value,
}: {
  readonly label: string;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([each, text]) => (
        <button type="button" key={each} aria-pressed={each === value} onClick={() => onChoose(each)}>
          {text}
        </button>
      ))}
    </div>
  );
}
