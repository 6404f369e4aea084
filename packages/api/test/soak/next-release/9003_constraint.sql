-- Applies to new rows. Existing rows are validated later, without a blocking lock.
alter table risks add constraint risks_confidence_when_live
  check (confidence is null or likelihood is not null) not valid;
