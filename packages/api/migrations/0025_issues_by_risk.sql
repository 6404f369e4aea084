-- The issues that a risk became, open and closed. Most issues come from no risk.

-- squawk-ignore require-concurrent-index-creation
create index issues_by_risk on issues (workspace_id, risk_id)
where risk_id is not null;
